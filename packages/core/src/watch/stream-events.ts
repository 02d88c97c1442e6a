import { shownAttached, type VisibleAttachment } from '../log/attachment.ts'
import type { Entry } from '../log/entry.ts'
import type { ParsedCall } from '../log/message.ts'
import type { VisibleEntry } from '../log/visible.ts'
import type { Turn, TurnResult } from '../turns/turn.ts'
import type { WatchEvent } from './watch-view.ts'
import type { WatchOptions } from './watch.ts'

/**
 * What does a client of a thread get? An event of `thread.watch` as it is sent over HTTP: its name, its data as JSON, and
 * its position as `id`. An event without an `id` is sent again with the next event that has one.
 */
export type StreamEvent =
  /** A piece of the text of the running model call, to be put at `offset`. */
  | Sent<'text', { readonly offset: number; readonly text: string }>
  /** The text of the running model call so far is void. */
  | Sent<'reset', Readonly<Record<string, never>>>
  /** The model calls a tool. */
  | Sent<'call', { readonly entry: string; readonly call: ParsedCall }>
  /** A tool has answered. */
  | Sent<
      'result',
      {
        readonly entry: string
        readonly call: { readonly id?: string; readonly name?: string }
        readonly status: Entry['status']
        readonly text: string
        readonly output: unknown
      }
    >
  /** An entry that people see. It replaces the text that was shown for it. */
  | Sent<'entry', StreamEntry>
  /** The newest branch is another one: these entries replace those that follow `after`, or all if it is null. */
  | Sent<'branch', { readonly after: string | null; readonly entries: readonly StreamEntry[] }>
  /** Something else is shown of an earlier entry than before: read it again. */
  | Sent<'changed', { readonly entry: string }>
  /** A turn is over, or waits for a decision. */
  | Sent<'end', TurnEndEvent>

/** How a turn ended, as it is sent. */
export interface TurnEndEvent extends Pick<TurnResult, 'turn' | 'answer' | 'reason' | 'waiting'> {
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'waiting'
}

interface Sent<Name extends string, Data> {
  readonly event: Name
  readonly data: Data
  readonly id?: string
}

/** An entry as it is sent: only the number of its images, and of its attachments what can be read. */
export interface StreamEntry extends Omit<VisibleEntry, 'images' | 'attachments'> {
  readonly images: number
  readonly attachments?: readonly VisibleAttachment[]
}

/** Returns the event as it is sent. An entry with calls, or with a result, is several events. */
function streamed(event: WatchEvent): StreamEvent[] {
  const id = event.position
  switch (event.type) {
    case 'text':
      return [{ event: 'text', id, data: { offset: event.offset, text: event.text } }]
    case 'reset':
      return [{ event: 'reset', id, data: {} }]
    case 'entry':
      return [...callsOf(event.entry), ...resultsOf(event.entry), { event: 'entry', id, data: sendable(event.entry) }]
    case 'branch':
      return [{ event: 'branch', id, data: { after: event.after, entries: event.entries.map(sendable) } }]
    case 'changed':
      return [{ event: 'changed', id, data: { entry: event.entry } }]
    case 'end':
      return [{ event: 'end', id, data: turnEnd(event.result) }]
  }
}

function callsOf({ id, calls }: VisibleEntry): StreamEvent[] {
  return calls.map((call) => ({ event: 'call', data: { entry: id, call } }))
}

function resultsOf({ id, kind, answers, status, text, output }: VisibleEntry): StreamEvent[] {
  return kind === 'tool' ? [{ event: 'result', data: { entry: id, call: answers ?? {}, status, text, output } }] : []
}

function sendable(entry: VisibleEntry): StreamEntry {
  return { ...entry, ...shownAttached(entry) }
}

function turnEnd({ status, turn, answer, reason, waiting }: TurnResult): TurnEndEvent {
  return {
    status: status === 'busy' || status === 'fenced' ? 'failed' : status,
    turn,
    answer,
    ...(reason && { reason }),
    ...(waiting && { waiting }),
  }
}

/** A thread whose events can be streamed. */
interface Watched {
  watch(options?: WatchOptions): AsyncIterable<WatchEvent>
}

/** Yields what happens in a thread, as it is sent. */
export async function* threadEvents(thread: Watched, options: WatchOptions): AsyncGenerator<StreamEvent, void, void> {
  for await (const event of thread.watch(options)) yield* streamed(event)
}

/** Yields what happens in a turn from when its message is recorded until it is over, on whichever instance it runs. */
export async function* turnEvents(
  thread: Watched,
  turn: Turn,
  { signal }: Pick<WatchOptions, 'signal'>,
): AsyncGenerator<StreamEvent, void, void> {
  const [recorded, from] = await Promise.all([turn.recorded, turn.position])
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted || !recorded) leave()
  // A message that was withdrawn while it waited has no turn that could end.
  let withdrawn: TurnResult | undefined
  void turn.done.then((result) => {
    if (result.turn !== null) return
    withdrawn = result
    leave()
  })
  try {
    for await (const event of thread.watch({ from, signal: left.signal })) {
      yield* streamed(event)
      if (recorded && event.type === 'end' && isOf(recorded, event)) return
    }
    if (withdrawn && !signal?.aborted) yield { event: 'end', data: turnEnd(withdrawn) }
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

/** True if the turn that ended answers this message. While a message waits, only its key is known. */
function isOf({ id, kind, key }: Entry, { result, key: asked }: Extract<WatchEvent, { type: 'end' }>): boolean {
  return kind === 'user' ? result.turn === id : key !== undefined && key === asked
}
