import type { LocalSender, LocalSenders, ThreadHandle } from './turn-run.ts'
import { cancelled, type TurnControl, type TurnResult } from './turn.ts'

/** Milliseconds in which a runner of this process takes a turn up, as a rule. Until then the log is not followed. */
const grace = 20

interface Waiting extends LocalSender {
  readonly control: TurnControl
  readonly handle: ThreadHandle
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
    add: (handle, control) => {
      const { thread } = handle
      let [begin, end] = [(): void => undefined, (_: TurnResult | undefined): void => undefined]
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
