import { createView, type components, type MinutebookClient } from '@minutebook/client'
import { sha256 } from 'minutebook'
import { unwrap } from '../api/unwrap.ts'
import type { PolicyConfig } from './changes.ts'

type Schemas = components['schemas']

/** A question of the record, to be asked again under other settings. */
export interface Asking {
  readonly thread: string
  /** The question, and the entry that it followed; null where it was the first. */
  readonly question: { readonly text: string; readonly parent: string | null }
  readonly model: string | null
  readonly window: number
  readonly reserve: number | null
  /** Undefined: the policy stays as it was. */
  readonly policy: PolicyConfig | undefined
}

/** What has come of it so far. */
export interface Asked {
  readonly fork: string
  readonly text: string
  readonly isOver: boolean
  /** Why there is no answer. */
  readonly reason?: string
}

/** Asks again, on a fork: the thread itself stays as it is. Tells the answer as it is written. */
export async function askAgain(client: MinutebookClient, asking: Asking, tell: (asked: Asked) => void, signal: AbortSignal): Promise<void> {
  const fork = await forked(client, asking)
  tell({ fork, text: '', isOver: false })
  const path = { thread: fork }
  const { setup = {} } = unwrap<Schemas['Thread']>(await client.GET('/minutebook/v1/threads/{thread}', { params: { path } }))
  const policy = asking.policy && (await saved(client, asking.policy))
  const body = { ...setup, window: asking.window, ...(asking.model !== null && { model: asking.model }), ...(asking.reserve !== null && { reserve: asking.reserve }), ...(policy !== undefined && { policy }) }
  unwrap<Schemas['Thread']>(await client.PUT('/minutebook/v1/threads/{thread}/setup', { params: { path }, body }))
  const { position } = unwrap<Schemas['Turn']>(await client.POST('/minutebook/v1/threads/{thread}/turns', { params: { path }, body: { message: asking.question.text } }))
  const view = createView()
  let reason: string | undefined
  for await (const event of client.follow(fork, { from: position, until: 'rest', signal })) {
    view.take(event)
    if (event.event === 'end') reason = (event.data as { readonly reason?: { readonly message?: string } }).reason?.message
    tell({ fork, text: answerIn(view), isOver: false })
  }
  tell({ fork, text: answerIn(view), isOver: true, ...(reason !== undefined && { reason }) })
}

function answerIn({ entries, text }: ReturnType<typeof createView>): string {
  const answer = entries.findLast(({ kind }) => kind === 'assistant')?.text ?? ''
  return text === '' ? answer : text
}

/** Up to what stood before the question; a thread of its own where nothing did. */
async function forked(client: MinutebookClient, { thread, question: { parent } }: Asking): Promise<string> {
  if (parent === null) return unwrap<Schemas['Thread']>(await client.POST('/minutebook/v1/threads', { body: {} })).thread
  return unwrap<Schemas['ThreadSummary']>(await client.POST('/minutebook/v1/threads/{thread}/fork', { params: { path: { thread } }, body: { at: parent } })).thread
}

/** Under a name that says what it is: the same policy is never kept twice. */
async function saved(client: MinutebookClient, config: PolicyConfig): Promise<string> {
  const name = `lab-${sha256(JSON.stringify(config)).slice(0, 10)}`
  unwrap<Schemas['NamedPolicy']>(await client.PUT('/minutebook/v1/policies/{policy}', { params: { path: { policy: name } }, body: config as never }))
  return name
}
