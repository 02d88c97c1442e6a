import { turnEndKinds } from '../log/branch.ts'
import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import type { Call } from '../log/message.ts'
import { isReceipt, isTaken, receiptFrom, type KeptReceipt, type Receipt } from '../receipts/receipt.ts'

/**
 * A turn under way. It runs whether or not anybody listens: to leave is not to stop, `cancel` is. Iterating gives every
 * event from the first on, also to those who come late.
 *
 * @example
 * const turn = thread.send('What is in bed 3?')
 * for await (const event of turn) if (event.type === 'text') process.stdout.write(event.text)
 * const { status } = await turn.done
 */
export interface Turn extends AsyncIterable<TurnEvent> {
  /**
   * The message, once it is on record: as it was said, or as it waits. For another answer, the message that is
   * answered. Undefined where the turn ends without one, as where the thread was busy. Never rejects.
   */
  readonly recorded: Promise<Entry | undefined>
  /** How it ended. Never rejects. */
  readonly done: Promise<TurnResult>
  /** Ends it as `cancelled`; what was recorded stays. */
  cancel(): void
}

/** What happens in a turn, as it happens. */
export type TurnEvent =
  /** A piece of the answer, to be shown. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Another instance took over: what was shown of this turn is void, and its text comes again from the beginning. */
  | { readonly type: 'reset' }
  /** A call of the model is taken up. It may turn out that it cannot be run. */
  | { readonly type: 'call'; readonly call: Call }
  | { readonly type: 'result'; readonly call: Call; readonly text: string; readonly status: string }
  /** A model call is over and on record. */
  | { readonly type: 'receipt'; readonly receipt: KeptReceipt }
  | { readonly type: 'end'; readonly result: TurnResult }

/** How a turn ended. */
export interface TurnResult {
  /**
   * `partial`: the answer was cut off; `busy`: nothing was recorded, for another turn runs; `fenced`: someone else runs
   * the thread now.
   */
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'busy' | 'fenced'
  /** The answer as people may see it. */
  readonly text: string
  /** The user entry that it answers. */
  readonly turn: string | null
  /** The entry of the answer; null where there is none. */
  readonly answer: string | null
  /** Why it did not end with an answer. */
  readonly reason?: { readonly code: string; readonly message: string }
  /** What was thrown, where something was; not on record. */
  readonly error?: unknown
}

/** The running side of a turn. */
export interface TurnControl {
  readonly turn: Turn
  readonly signal: AbortSignal
  /** Why it is to stop, once the signal has aborted. */
  readonly stopping: StopReason | undefined
  /** Makes the turn stop, for this reason. */
  stop(stopping: StopReason): void
  emit(event: TurnEvent): void
  /** The message is on record. Only the first time counts. */
  record(message: Entry): void
  end(result: TurnResult): void
  /** Hears every event as it is emitted. The answer ends that. */
  overhear(hear: (event: TurnEvent) => void): () => void
}

export function createTurn(outer?: AbortSignal): TurnControl {
  const controller = new AbortController()
  const events: TurnEvent[] = []
  const hearing = new Set<(event: TurnEvent) => void>()
  let listeners: (() => void)[] = []
  let settle: (result: TurnResult) => void = () => undefined
  const done = new Promise<TurnResult>((resolve) => (settle = resolve))
  let record: (message: Entry | undefined) => void = () => undefined
  const recorded = new Promise<Entry | undefined>((resolve) => (record = resolve))
  let stopping: StopReason | undefined
  const stop = (reason: StopReason): void => {
    stopping ??= reason
    controller.abort()
  }
  const cancel = (): void => stop(cancelled)
  const emit = (event: TurnEvent): void => {
    events.push(event)
    for (const hear of hearing) hear(event)
    for (const wake of listeners.splice(0)) wake()
  }
  outer?.addEventListener('abort', cancel, { once: true })
  if (outer?.aborted) cancel()

  async function* follow(): AsyncGenerator<TurnEvent, void, void> {
    for (let index = 0; ; index++) {
      while (index >= events.length) await new Promise<void>((wake) => listeners.push(wake))
      const event = events[index]!
      yield event
      if (event.type === 'end') return
    }
  }

  return {
    turn: { recorded, done, cancel, [Symbol.asyncIterator]: follow },
    signal: controller.signal,
    get stopping() {
      return stopping
    },
    stop,
    emit,
    record,
    end: (result) => {
      record(undefined)
      outer?.removeEventListener('abort', cancel)
      emit({ type: 'end', result })
      settle(result)
    },
    overhear: (hear) => {
      hearing.add(hear)
      return () => void hearing.delete(hear)
    },
  }
}

/** Why a turn ends without an answer. */
export interface StopReason {
  readonly status: 'cancelled' | 'failed'
  readonly code: string
  readonly reason: string
  /** What was thrown: for the caller, never for the record. */
  readonly error?: unknown
}

/** How a turn ends whose message was never answered, nor will be. */
export const takenBack: TurnResult = {
  status: 'cancelled',
  text: '',
  turn: null,
  answer: null,
  reason: { code: 'cancelled', message: 'The message was taken back before it was answered.' },
}

export const cancelled: StopReason = { status: 'cancelled', code: 'cancelled', reason: 'The turn was cancelled.' }

/** What the log says about a turn that is over: the same right after it and years later. */
export function resultOf(turn: readonly Entry[]): TurnResult {
  const answer = turn.findLast(({ kind, calls }) => kind === 'assistant' && calls.length === 0)
  const [asked] = turn
  const base = {
    text: answer?.text ?? '',
    turn: asked && traits[asked.kind].opensExchange ? asked.id : null,
    answer: answer?.id ?? null,
  }
  const end = turn
    .filter((entry) => entry.kind === 'assistant' || (turnEndKinds.has(entry.kind) && !isRefused(entry)))
    .toSorted((left, right) => left.seq - right.seq)
    .at(-1)
  if (end && isReceipt(end)) return { ...base, status: statuses[receiptFrom(end).outcome] ?? 'complete' }
  if (end?.kind !== 'stop') return { ...base, status: statusOf(answer) }
  const { code, reason } = stopOf(end)
  return { ...base, status: statusOf(end), reason: { code, message: reason } }
}

/** A call that was refused is no end: the question was to be sent again. */
function isRefused(entry: Entry): boolean {
  return isReceipt(entry) && !isTaken(entry)
}

/** Where the outcome of the last model call is another word than complete. */
const statuses: Readonly<Partial<Record<Receipt['outcome'], TurnResult['status']>>> = {
  length: 'partial',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** What a stop entry says. */
function stopOf({ text, status }: Entry): { readonly code: string; readonly reason: string } {
  return status === 'erased' ? { code: 'erased', reason: '' } : (JSON.parse(text) as { code: string; reason: string })
}

function statusOf(end: Entry | undefined): TurnResult['status'] {
  return end === undefined || end.status === 'erased' ? 'complete' : end.status
}
