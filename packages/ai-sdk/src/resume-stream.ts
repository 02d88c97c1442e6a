import { createUIMessageStreamResponse, type UIMessage, type UIMessageChunk } from 'ai'
import { visible, type Entry, type Thread, type Turn, type VisibleEntry } from 'minutebook'
import { nextStep } from 'minutebook/inspect'
import { traits } from 'minutebook/store'
import type { ShownPart } from './call-chunks.ts'
import { createPage, type Ending, type Page } from './page.ts'
import { answerIdOf, uiIdOf, uiMessagesOf } from './to-ui.ts'
import {
  createReplay,
  endWithError,
  eventChunks,
  restartedError,
  streamOf,
  type StreamResponseInit,
} from './turn-stream.ts'

/** What `useChat` begins with. */
export interface LoadedChat {
  /** The conversation, without what a running turn has done so far: that comes with the stream. */
  readonly messages: UIMessage[]
  /** True if a turn runs. A turn that waits for a decision does not: what it did so far is in the messages. */
  readonly resume: boolean
}

/** Which turn of a thread is streamed. */
export interface ResumeOptions {
  /**
   * The id of the last message that the page has. If it is the question of the newest turn, its answer is streamed even
   * if it has ended by now. Default: only a turn that runs is streamed.
   */
  readonly after?: string | undefined
}

/**
 * Reads what a page begins with. Pass it to `useChat`.
 *
 * @example
 * const chat = await loadChat(book.thread(id)) // in the page: useChat({ id, ...chat })
 */
export async function loadChat(thread: Thread): Promise<LoadedChat> {
  const entries = await thread.entries()
  const resume = isRunning(entries)
  return { messages: uiMessagesOf(resume ? entries.slice(0, lastQuestion(entries) + 1) : entries), resume }
}

/**
 * The turn that runs on a thread, from its beginning, as the stream that `useChat` resumes: on any instance, from the log
 * and the live text. Undefined if no turn runs.
 *
 * @example
 * const stream = await resumeUIMessageStream(book.thread(id))
 */
export async function resumeUIMessageStream(
  thread: Thread,
  { after }: ResumeOptions = {},
): Promise<ReadableStream<UIMessageChunk> | undefined> {
  const entries = await thread.entries()
  const asked = entries[lastQuestion(entries)]
  if (!asked || (!isRunning(entries) && uiIdOf(asked) !== after)) return undefined
  const left = new AbortController()
  return streamOf(chunksOf({ thread, asked, entries, signal: left.signal }), () => left.abort())
}

/**
 * The same as a response, for `GET /api/chat/:id/stream`. Its status is 204 if no turn runs.
 *
 * @example
 * app.get('/api/chat/:id/stream', (c) => resumeUIMessageResponse(book.thread(c.req.param('id'))))
 */
export async function resumeUIMessageResponse(
  thread: Thread,
  options: ResumeOptions = {},
  init: StreamResponseInit = {},
): Promise<Response> {
  const stream = await resumeUIMessageStream(thread, options)
  return stream ? createUIMessageStreamResponse({ ...init, stream }) : new Response(null, { status: 204 })
}

/**
 * The rest of the newest turn, for a page that has shown a part of its answer. `turns`: what the decisions of that page
 * began. Undefined if the page has everything already, and nothing runs.
 */
export function restOfTurn(
  thread: Thread,
  entries: readonly Entry[],
  shown: readonly ShownPart[],
  turns: readonly Turn[],
): ReadableStream<UIMessageChunk> | undefined {
  const asked = entries[lastQuestion(entries)]
  if (!asked) return undefined
  const page = createPage(answerIdOf(asked), restartedError, shown)
  // Before a decision is recorded, the record would take it back from the page.
  const missing = turns.length > 0 ? [] : page.catchUp(partsOf(turnOf(entries, asked)))
  if (turns.length === 0 && missing.length === 0 && !isRunning(entries)) return undefined
  const left = new AbortController()
  const rest = { thread, asked, entries, signal: left.signal, page, missing, turns }
  return streamOf(chunksOf(rest), () => left.abort())
}

/** What is streamed to a page. */
interface Streamed {
  readonly thread: Thread
  readonly asked: Entry
  readonly entries: readonly Entry[]
  readonly signal: AbortSignal
  /** The page, if it has shown what `entries` say. Default: one that has shown nothing. */
  readonly page?: Page
  readonly missing?: readonly UIMessageChunk[]
  readonly turns?: readonly Turn[]
}

async function* chunksOf(streamed: Streamed): AsyncGenerator<UIMessageChunk, void, void> {
  const { thread, asked, entries, signal, missing = [], turns = [] } = streamed
  const page = streamed.page ?? createPage(answerIdOf(asked), restartedError)
  let known = entries
  let unseen = createReplay()
  try {
    yield* missing
    const reload = async (): Promise<void> => {
      known = await thread.entries()
    }
    for await (const chunks of decidedChunks(page, turns, async () => partsOf(turnOf(await thread.entries(), asked))))
      yield* chunks
    if (turns.length > 0) {
      await reload()
      yield* page.catchUp(partsOf(turnOf(known, asked)))
    }
    if (isRunning(known)) {
      const shownTo = streamed.page ? (known.at(-1)?.seq ?? -1) : -1
      for await (const seen of watchedTurn(thread, signal)) {
        if (seen.type === 'reset') unseen.restart()
        if (seen.type === 'text') yield* page.text(unseen.take(seen.text))
        if (seen.type === 'change') await reload()
        // The same answer twice is one entry, and it does not come again.
        if (seen.type === 'change' && !isRunning(known)) break
        if (seen.type !== 'entry' || seen.entry.seq <= shownTo) continue
        const { id, seq } = seen.entry
        if (!known.some((entry) => entry.seq >= seq)) await reload()
        const turn = turnOf(known, asked)
        // An entry of a branch that was left: what follows the question now is on another one.
        if (turn.length > 0 && turn.every((entry) => entry.id !== id)) continue
        const upTo = turn.filter((entry) => entry.seq <= seq)
        yield* page.catchUp(partsOf(upTo))
        if (seen.entry.kind === 'assistant') unseen = createReplay()
        if (nextStep(upTo) === undefined) break
      }
      await reload()
    }
    const turn = turnOf(known, asked)
    yield* page.catchUp(partsOf(turn))
    yield* page.end(endingOf(turn))
  } catch (error) {
    yield* endWithError(page, error)
  }
}

/**
 * What follows the decisions of a page. The first turn whose decision counts runs on until it is over or waits again;
 * if it waits for the next decision, the next turn goes on. Results come from the record, which knows what was decided.
 */
async function* decidedChunks(
  page: Page,
  turns: readonly Turn[],
  recorded: () => Promise<readonly ShownPart[]>,
): AsyncGenerator<readonly UIMessageChunk[], void, void> {
  for (const turn of turns) {
    const unseen = createReplay()
    for await (const event of turn) {
      if (event.type === 'result') yield page.settle(await recorded())
      else yield eventChunks(page, event, unseen)
    }
    const { status } = await turn.done
    if (status !== 'waiting' && (await turn.recorded)) return
  }
}

/** An event of a turn that is watched. `change`: something else happened, and the turn may be over. */
type Watched =
  | { readonly type: 'entry'; readonly entry: VisibleEntry }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reset' | 'change' }

/** All that the stream takes from `thread.watch`: the entries from the question on, and the live text after them. */
async function* watchedTurn(thread: Thread, signal: AbortSignal): AsyncGenerator<Watched, void, void> {
  for await (const event of thread.watch({ from: 'now', signal })) {
    if (event.type === 'branch') for (const entry of event.entries) yield { type: 'entry', entry }
    yield event.type === 'entry' || event.type === 'text' || event.type === 'reset' ? event : { type: 'change' }
  }
}

/** False if the newest turn is over, or waits for a decision. */
function isRunning(entries: readonly Entry[]): boolean {
  return (nextStep(entries)?.do ?? 'wait') !== 'wait'
}

/** The index of the newest question of a branch. It is -1 if the branch has no question. */
function lastQuestion(entries: readonly Entry[]): number {
  return entries.findLastIndex(({ kind }) => traits[kind].opensExchange)
}

/** The turn of a question. Empty if the branch does not have it any more. */
function turnOf(entries: readonly Entry[], asked: Entry): readonly Entry[] {
  const at = entries.findLastIndex(({ id }) => id === asked.id)
  const turn = at < 0 ? [] : entries.slice(at)
  const next = turn.findIndex(({ kind }, index) => index > 0 && traits[kind].opensExchange)
  return next < 0 ? turn : turn.slice(0, next)
}

/** The parts of the UI message that answers a turn's question. */
function partsOf(turn: readonly Entry[]): readonly ShownPart[] {
  const [, answer] = uiMessagesOf(turn)
  return (answer?.parts ?? []) as unknown as readonly ShownPart[]
}

function endingOf(turn: readonly Entry[]): Ending {
  if (nextStep(turn)?.do === 'wait') return { status: 'waiting' }
  const last = turn.findLast(({ kind }) => kind === 'stop' || kind === 'assistant')
  if (!last) return { status: 'cancelled' }
  const { status } = last
  const reason = last.kind === 'stop' ? visible([last])[0]?.text : undefined
  return { status: status === 'erased' ? 'complete' : status, reason }
}
