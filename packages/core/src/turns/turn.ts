import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { ParsedCall } from '../log/message.ts'
import type { OpenCall } from '../log/open-call.ts'
import { positionAt } from './position.ts'
import type { KeptReceipt } from '../receipts/receipt.ts'

/**
 * A running turn: from a user's message to its answer. It runs even if no caller iterates it. Leaving the loop does not
 * stop it; `cancel` does. Iterating yields every event from the first one on, also if you begin late.
 *
 * @example
 * const turn = thread.send('What is in bed 3?')
 * for await (const event of turn) if (event.type === 'text') process.stdout.write(event.text)
 * const { status } = await turn.done
 */
export interface Turn extends AsyncIterable<TurnEvent> {
  /**
   * The user's message, once it is recorded, or recorded as waiting. For a retry, the message that is answered again.
   * Undefined if the turn ends without one, for example because the thread was busy. Never rejects.
   */
  readonly recorded: Promise<Entry | undefined>
  /**
   * The position at which the turn begins, for `thread.watch({ from })`: a client that lost its connection finds the turn
   * there, on any instance. Undefined if nothing was recorded. Never rejects.
   */
  readonly position: Promise<string | undefined>
  /** How the turn ended. Never rejects. */
  readonly done: Promise<TurnResult>
  /**
   * The answer, piece by piece. Throws why there is no answer, like `thread.ask`. Throws `turn_restarted` if another
   * instance took the turn over and answers otherwise: the pieces before are void. To handle that, iterate the turn.
   *
   * @example
   * for await (const piece of thread.send('What grows in the shade?').text) process.stdout.write(piece)
   */
  readonly text: AsyncIterable<string>
  /** Ends the turn as `cancelled`. What was recorded stays. */
  cancel(): void
}

/** What happens in a turn, in order. */
export type TurnEvent =
  /** The next piece of the answer, to be shown. */
  | { readonly type: 'text'; readonly text: string }
  /** The next piece of the model's reasoning. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** Another instance took the turn over. Discard the text that was shown: it comes again from the beginning. */
  | { readonly type: 'reset' }
  /** A tool call of the model is about to run. It may still fail, for example because there is no such tool. */
  | { readonly type: 'call'; readonly call: ParsedCall }
  /**
   * A tool call has ended, and its result is recorded. `output`: the value of its text if that is JSON, else the text.
   * `error`: what the tool threw, if it threw.
   */
  | {
      readonly type: 'result'
      readonly call: ParsedCall
      readonly text: string
      readonly output: unknown
      readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'erased'
      readonly error?: unknown
    }
  /** These calls wait for a decision: see `thread.decide`. */
  | { readonly type: 'wait'; readonly calls: readonly OpenCall[] }
  /** A model call has ended and is recorded. */
  | { readonly type: 'receipt'; readonly receipt: KeptReceipt }
  /** The turn has ended. This is the last event. */
  | { readonly type: 'end'; readonly result: TurnResult }

/** How a turn ended: its answer, or why it has no answer. */
export interface TurnResult {
  /**
   * `complete`: there is an answer. `partial`: the answer was cut off at the length limit. `cancelled`: the turn was
   * stopped. `failed`: see `reason`. `waiting`: it goes on after a decision about the calls in `waiting`.
   * `busy`: another turn runs, and nothing was recorded. `fenced`: another instance has taken the thread over.
   */
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'waiting' | 'busy' | 'fenced'
  /** The answer, as people may see it. Empty if the turn has no answer. */
  readonly text: string
  /** The id of the user entry that is answered. */
  readonly turn: string | null
  /** The id of the answer's entry. Null if there is no answer. */
  readonly answer: string | null
  /**
   * The value of the answer, if the turn asked for an `output` and the answer is JSON. It is not checked against the
   * schema: `thread.ask` does that.
   */
  readonly output?: unknown
  /** The calls that wait for a decision. Only if the status is `waiting`. */
  readonly waiting?: readonly OpenCall[]
  /** Why there is no answer: `code` for programs, `message` for people, `fix` for developers. Not set if there is one. */
  readonly reason?: { readonly code: string; readonly message: string; readonly fix?: string }
  /** The error that was thrown, if any. It is not recorded. */
  readonly error?: unknown
}

/** The side of a turn that its runner holds: it emits the events that the `Turn` yields. */
export interface TurnControl {
  readonly turn: Turn
  readonly signal: AbortSignal
  /** Why the turn must stop. Set once the signal has aborted. */
  readonly stopping: StopReason | undefined
  /** Asks the turn to stop. The first reason counts. */
  stop(stopping: StopReason): void
  emit(event: TurnEvent): void
  /**
   * Resolves `Turn.recorded` and `Turn.position`. `from`: the seq of the entry that began the turn, if it is not the
   * message. Only the first call counts.
   */
  record(message: Entry, from?: number): void
  end(result: TurnResult): void
  /** Calls `hear` with every event from now on. Returns a function that stops it. */
  overhear(hear: (event: TurnEvent) => void): () => void
}

interface Recorded {
  readonly message: Entry
  readonly from: number
}

export function createTurn(outer?: AbortSignal): TurnControl {
  const controller = new AbortController()
  const events: TurnEvent[] = []
  const hearing = new Set<(event: TurnEvent) => void>()
  let listeners: (() => void)[] = []
  let settle: (result: TurnResult) => void = () => undefined
  const done = new Promise<TurnResult>((resolve) => (settle = resolve))
  let settleRecorded: (recorded: Recorded | undefined) => void = () => undefined
  const recorded = new Promise<Recorded | undefined>((resolve) => (settleRecorded = resolve))
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
    turn: {
      recorded: recorded.then((known) => known?.message),
      position: recorded.then((known) => known && positionAt(known.from)),
      done,
      cancel,
      text: { [Symbol.asyncIterator]: () => piecesOf(follow()) },
      [Symbol.asyncIterator]: follow,
    },
    signal: controller.signal,
    get stopping() {
      return stopping
    },
    stop,
    emit,
    record: (message, from = message.seq) => settleRecorded({ message, from }),
    end: (result) => {
      settleRecorded(undefined)
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

/** The text of the events, without what comes again after a take-over. */
async function* piecesOf(events: AsyncIterable<TurnEvent>): AsyncGenerator<string, void, void> {
  let shown = ''
  /** How far the answer has come since it began, or began again. */
  let at = 0
  for await (const event of events) {
    if (event.type === 'reset') at = 0
    if (event.type === 'end') answerIn(event.result)
    if (event.type !== 'text') continue
    const known = shown.slice(at, at + event.text.length)
    if (!event.text.startsWith(known)) throw restartedError()
    const piece = event.text.slice(known.length)
    at += event.text.length
    shown += piece
    if (piece !== '') yield piece
  }
}

/** The answer of a turn, even one that was cut off at the length limit. If the turn has no answer, throws the reason. */
export function answerIn({ status, text, reason, error }: TurnResult): string {
  if (status === 'complete' || status === 'partial') return text
  if (error instanceof Error) throw error
  if (status === 'waiting') throw waitingError()
  const { code = status, message = 'The turn ended without an answer.', fix = '' } = reason ?? {}
  throw new MinutebookError(code, message, fix)
}

function waitingError(): MinutebookError {
  return new MinutebookError(
    'waiting',
    'The turn waits for a decision about its calls.',
    'Use send, show the calls in `waiting` of its result, and go on with thread.decide.',
  )
}

function restartedError(): MinutebookError {
  return new MinutebookError(
    'turn_restarted',
    'Another instance took the turn over and answers with another text.',
    'Show the answer of turn.done, or iterate the turn and discard what was shown at each reset.',
  )
}

/** Why a turn ends without an answer. */
export interface StopReason {
  readonly status: 'cancelled' | 'failed'
  readonly code: string
  /** For people. */
  readonly reason: string
  /** For developers: what to do about it. */
  readonly fix?: string
  /** The error that was thrown. The caller gets it; it is never recorded. */
  readonly error?: unknown
}

/** The result of a turn whose message was revoked before it was answered. */
export const takenBack: TurnResult = {
  status: 'cancelled',
  text: '',
  turn: null,
  answer: null,
  reason: { code: 'cancelled', message: 'The message was withdrawn before it was answered.' },
}

export const cancelled: StopReason = { status: 'cancelled', code: 'cancelled', reason: 'The turn was cancelled.' }

/** The result of a turn that was rejected because another one runs. */
export function busy(
  fix = 'Wait for the running turn, or cancel it.',
  message = 'Another answer is being written.',
): TurnResult {
  return {
    status: 'busy',
    text: '',
    turn: null,
    answer: null,
    reason: { code: 'busy', message, fix },
  }
}

/** The result of a turn that threw: another runner took over, or the turn could not be recorded. */
export function failureOf(error: unknown): TurnResult {
  const known = MinutebookError.isInstance(error) ? reasonIn(error) : undefined
  if (known?.code === 'fenced') return { status: 'fenced', text: '', turn: null, answer: null, reason: known }
  return { status: 'failed', text: '', turn: null, answer: null, reason: known ?? broken, error }
}

function reasonIn({ code, problem, fix }: MinutebookError): NonNullable<TurnResult['reason']> {
  return { code, message: problem, ...(fix !== '' && { fix }) }
}

const broken = {
  code: 'broken',
  message: 'The turn could not be recorded.',
  fix: 'See the error. What was recorded before is safe, and resume() goes on from there.',
}
