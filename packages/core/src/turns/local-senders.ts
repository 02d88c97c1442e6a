import type { Clock } from '../log/clock.ts'
import type { LiveLog } from '../log/log.ts'
import { cancelled, type TurnControl, type TurnResult } from './turn.ts'

/**
 * Who in this process waits for a turn that a queue hands out. If this process runs it, they hear it directly: with all
 * events, and without reading the log for them.
 */
export interface LocalSenders {
  /** Somebody asks for a turn, and has read the thread's log. */
  add(thread: string, control: TurnControl, log: LiveLog): LocalSender
  /** A log of this thread that somebody who waits has read. */
  logOf(thread: string): LiveLog | undefined
  /**
   * A turn begins here: those who wait for it hear it from now on. `turn`: its question, or the message that waited.
   * Returns a function that ends it; without a result, the turn was not finished here.
   */
  join(thread: string, turn: string, runner: TurnControl): (result?: TurnResult) => void
}

/** Somebody who waits. */
export interface LocalSender {
  /** What the turn will be known by: its question, or the message that waits. Set before anybody can run it. */
  turn: string | undefined
  /** How the turn ended, if it runs in this process; undefined if it does not begin here soon, or is not finished here. */
  heard(clock: Clock): Promise<TurnResult | undefined>
  /** Waits no longer. */
  leave(): void
}

/** Milliseconds in which a runner of this process takes a turn up, as a rule. Until then the log is not followed. */
const grace = 20

interface Waiting extends LocalSender {
  readonly control: TurnControl
  readonly log: LiveLog
  /** Set once a runner here has taken the turn up. */
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

/** Events of the runner go to the sender, its wish to stop to the runner. Returns a function that ends it. */
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
