import { once } from 'node:events'
import { postgresStore, type PostgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'
import { makeEntry } from './entries.ts'
import { tailLength, type Operation } from './operation.ts'
import type { Round } from './side.ts'
import { nameOf, parties, seededId, tenant, term, type SeededThreads } from './threads.ts'

/** What this process is told once; after that, it plays every round that it is told. */
export interface Setting {
  readonly url: string
  readonly threads: SeededThreads
  readonly party: number
}

/** What it answers: that counting begins, what was counted, and that all of its clients have ended. */
export type Report = 'began' | Counted | 'ended'

export interface Counted {
  readonly operations: number
  readonly seconds: number
  readonly processorSeconds: number
}

const { url, threads, party } = JSON.parse(process.argv[2]!) as Setting
const heads = new Map<number, string>()

process.on('message', (order: Round | 'end') => {
  if (order !== 'end') void play(order)
})

async function play({ operation, clients, warmSeconds, seconds }: Round): Promise<void> {
  const pool = new Pool({ connectionString: url, pipeline: true, max: clients })
  const store = postgresStore(pool, { tenant })
  let operations = 0
  let until = Infinity
  const client = async (place: number): Promise<void> => {
    while (performance.now() < until) {
      await works[operation](store, pickThread(place, clients))
      operations++
    }
  }
  const working = Promise.all(Array.from({ length: clients }, (_, place) => client(place)))
  working.catch((error: unknown) => {
    throw error
  })
  await pause(warmSeconds)
  report('began')
  const [began, from, processor] = [performance.now(), operations, process.cpuUsage()]
  await pause(seconds)
  const { user, system } = process.cpuUsage(processor)
  // The connections stay until it has been read what they used.
  const allowed = once(process, 'message')
  report({
    operations: operations - from,
    seconds: (performance.now() - began) / 1000,
    processorSeconds: (user + system) / 1e6,
  })
  until = 0
  await working
  await allowed
  await pool.end()
  report('ended')
}

const works: Readonly<Record<Operation, (store: PostgresStore, thread: number) => Promise<void>>> = {
  append: async (store, thread) => {
    const head = headOf(thread)
    const entry = makeEntry(head)
    const { ok } = await store.append(nameOf(thread), [entry], { head, term })
    if (!ok) throw new Error('An append was refused.')
    heads.set(thread, entry.id)
  },
  tail: async (store, thread) => {
    const entries = await store.read(nameOf(thread), { last: tailLength })
    if (entries.length !== Math.min(tailLength, entries.at(-1)!.seq + 1)) throw new Error('A tail is too short.')
  },
  turn: async (store, thread) => {
    const name = nameOf(thread)
    const head = headOf(thread)
    const question = makeEntry(head)
    const answer = makeEntry(question.id)
    const [entries, ...appended] = await Promise.all([
      store.read(name, { last: tailLength }),
      store.append(name, [question], { head, term }),
      store.append(name, [answer], { head: question.id, term }),
    ])
    if (entries.at(-1)?.id !== head || appended.some(({ ok }) => !ok))
      throw new Error('A turn did not go as it should.')
    heads.set(thread, answer.id)
  },
}

/** One of this client's own. */
function pickThread(client: number, clients: number): number {
  const own = Math.floor(threads.count / parties / clients)
  return party + parties * (client + clients * Math.floor(Math.random() * own))
}

function headOf(thread: number): string {
  return heads.get(thread) ?? seededId(thread, threads.entriesEach - 1)
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000)
  })
}

function report(message: Report): void {
  process.send!(message)
}
