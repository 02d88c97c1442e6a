import type { LocalSender, LocalSenders, ThreadHandle } from './turn-run.ts'
import { cancelled, type TurnControl, type TurnResult } from './turn.ts'

/**
 * Milliseconds in which a runner of this process usually begins a turn. Until then the sender does not read the log.
 */
const grace = 20

interface Waiting extends LocalSender {
  readonly control: TurnControl
  readonly handle: ThreadHandle
  /** True once a runner of this process has begun the turn. */
  begun: boolean
  begin(): void
  end(result: TurnResult | undefined): void
}

/** How does a sender hear a turn that this process runs? The runner passes the events to it directly, not through the log or the feed. */
export function createLocalSenders(): LocalSenders {
  const waiting = new Map<string, Set<Waiting>>()
  const leave = (thread: string, sender: Waiting): void => {
    const others = waiting.get(thread)
    others?.delete(sender)
    if (others?.size === 0) waiting.delete(thread)
  }
  return {
    add: (handle, control) => {
      const { thread } = handle
      let begin: () => void = () => undefined
      let end: (result: TurnResult | undefined) => void = () => undefined
      const beginning = new Promise<void>((resolve) => (begin = resolve))
      const ended = new Promise<TurnResult | undefined>((resolve) => (end = resolve))
      const sender: Waiting = {
        control,
        handle,
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
    find: (thread) => [...(waiting.get(thread) ?? [])].find(({ turn }) => turn !== undefined)?.handle,
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
