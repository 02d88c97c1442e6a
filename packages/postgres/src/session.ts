import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'
import { answerTypes as types } from './answer-types.ts'
import { failureOf } from './failure.ts'
import { statement, type Statement } from './statement.ts'

/** A connection inside of a transaction, in which only rows of one tenant can be seen. */
export interface Session {
  readonly tenant: string
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Sends statements without waiting in between, where the pool's connections can do that (`pipeline: true`). */
  runAll(requests: readonly Request[]): Promise<unknown[][]>
  /** The connection itself, for what others do in the same transaction. */
  readonly client: PoolClient
}

export interface Request {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** What work answers that is to leave no trace. */
export interface Undo<T> {
  readonly undo: T
}

const setTenant = statement('tenant')

/** Runs work in a transaction of its own. It is undone where the work throws, or answers with `undo`. */
export async function transaction<T extends object>(pool: Pool, tenant: string, work: (session: Session) => Promise<T | Undo<T>>): Promise<T> {
  const client = await connect(pool)
  const session = sessionOf(client, tenant)
  let broken = false
  try {
    await sendAll(client, [begin, { statement: setTenant, values: [tenant] }])
    const answer = await work(session)
    if ('undo' in answer) {
      await client.query('rollback')
      return answer.undo
    }
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true))
    throw failureOf(error)
  } finally {
    client.release(broken)
  }
}

/** Runs statements in one transaction and, where connections are pipelined, in one round trip: all of them or none. */
export async function together(pool: Pool, tenant: string, requests: readonly Request[]): Promise<unknown[][]> {
  const client = await connect(pool)
  let broken = false
  try {
    const answers = await sendAll(client, [begin, { statement: setTenant, values: [tenant] }, ...requests, commit])
    return answers.slice(2, -1)
  } catch (error) {
    if (!isPipelined(client)) await client.query('rollback').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

/** A connection of the pool. One that breaks fails what is asked of it; it says so a second time, which would end the process. */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    const client = await pool.connect()
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    return client
  } catch (error) {
    throw failureOf(error)
  }
}

function ignore(): void {}

function sessionOf(client: PoolClient, tenant: string): Session {
  return {
    tenant,
    client,
    run: async <Row>({ name, text }: Statement, values: readonly unknown[]) => (await client.query({ name, text, values: values as unknown[], types })).rows as Row[],
    runAll: (requests) => sendAll(client, requests),
  }
}

async function sendAll(client: PoolClient, requests: readonly Request[]): Promise<unknown[][]> {
  const send = async ({ statement: { name, text }, values }: Request): Promise<unknown[]> => (await client.query({ name, text, values: values as unknown[], types })).rows as unknown[]
  if (!isPipelined(client)) {
    const answers: unknown[][] = []
    for (const request of requests) answers.push(await send(request))
    return answers
  }
  const settled = await Promise.allSettled(corked(client, () => requests.map(send)))
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return settled.map((each) => (each as PromiseFulfilledResult<unknown[]>).value)
}

/** Lets all that is written go out at once: the driver would send each statement by itself. */
function corked<T>(client: PoolClient, write: () => T): T {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}

function isPipelined(client: PoolClient): boolean {
  return 'pipeline' in client && client.pipeline === true
}

const begin: Request = { statement: { name: 'minutebook begin', text: 'begin' }, values: [] }
const commit: Request = { statement: { name: 'minutebook commit', text: 'commit' }, values: [] }
