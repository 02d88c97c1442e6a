import type { Clock } from '../log/clock.ts'
import type { LiveLog } from '../log/log.ts'
import { cancelled, type TurnControl, type TurnResult } from './turn.ts'

/**
 * The senders in this process that wait for a turn of the queue. If this process runs the turn, they hear it directly:
 * with all events, and without reading the log again.
 */
export interface LocalSenders {
  /** Registers a sender that asks for a turn and has read the thread's log. */
  add(thread: string, control: TurnControl, log: LiveLog): LocalSender
  /** Returns the log that a waiting sender has read, so that the runner need not read it again. */
  logOf(thread: string): LiveLog | undefined
  /**
   * Connects the senders that wait for a turn with the runner that begins it in this process. `turn`: the id of its
   * question, or of the waiting message. Returns a function that ends the turn for them. Without a result, it means
   * that the turn was not finished here.
   */
  join(thread: string, turn: string, runner: TurnControl): (result?: TurnResult) => void
}

/** A sender that waits for a turn. */
export interface LocalSender {
  /**
   * The id of the turn's question, or of the waiting message. It must be set before the queue is woken: a runner may
   * begin at once.
   */
  turn: string | undefined
  /**
   * Waits for the result of the turn if this process runs it. Returns undefined if the turn does not begin here within
   * 20 ms, or is not finished here.
   */
  heard(clock: Clock): Promise<TurnResult | undefined>
  /** Stops waiting. */
  leave(): void
}

/**
 * Milliseconds in which a runner of this process usually begins a turn. Until then the sender does not read the log.
 */
const grace = 20

interface Waiting extends LocalSender {
  readonly control: TurnControl
  readonly log: LiveLog
  /** True once a runner of this process has begun the turn. */
  begun: boolean
  begin(): void
  end(result: TurnResult | undefined): void
}

export function createLocalSenders(): LocalSenders {
  const waiting = new Map<string, Set<Waiting>>()
  const leave = (thread: string, sender: Waiting): void => {
    const others = waiting.get(thread)
    others?.delete(sender)
    if (others?.size === 0) waiting.delete(thread)
  }
  return {
    add: (thread, control, log) => {
      let [begin, end] = [(): void => undefined, (_: TurnResult | undefined): void => undefined]
      const beginning = new Promise<void>((resolve) => (begin = resolve))
      const ended = new Promise<TurnResult | undefined>((resolve) => (end = resolve))
      const sender: Waiting = {
        control,
        log,
        turn: undefined,
        begun: false,
        begin,
        end,
        heard: async (clock) => {
          const left = new AbortController()
          await Promise.race([beginning, clock.after(grace, left.signal)])
          left.abort()
          return sender.begun ? ended : undefined
        },
        leave: () => leave(thread, sender),
      }
      waiting.set(thread, (waiting.get(thread) ?? new Set()).add(sender))
      return sender
    },
    logOf: (thread) => [...(waiting.get(thread) ?? [])].find(({ turn }) => turn !== undefined)?.log,
    join: (thread, turn, runner) => {
      const joined = [...(waiting.get(thread) ?? [])].filter((sender) => sender.turn === turn)
      const stops = joined.map((sender) => {
        leave(thread, sender)
        sender.begun = true
        sender.begin()
        return pipe(runner, sender.control)
      })
      return (result) => {
        for (const stop of stops) stop()
        for (const sender of joined) sender.end(result)
      }
    },
  }
}

/**
 * Passes events from the runner to the sender, and a cancellation from the sender to the runner. Returns a function
 * that stops it.
 */
function pipe(runner: TurnControl, sender: TurnControl): () => void {
  const stop = (): void => runner.stop(sender.stopping ?? cancelled)
  const deafen = runner.overhear((event) => sender.emit(event))
  sender.signal.addEventListener('abort', stop, { once: true })
  if (sender.signal.aborted) stop()
  return () => {
    deafen()
    sender.signal.removeEventListener('abort', stop)
  }
}
