import type { Message } from '../conversation.ts'
import type { Budget, Prompt, Strategy } from '../strategy.ts'
import { promptOfKept } from '../strategy.ts'
import { messageTokens } from '../tokens.ts'

/** System messages and the newest messages that fit in one unbroken run; the latest always. */
export const sliding = strategy('sliding window', () => [])

/** An upper bound that knows the answer: the evidence first, the newest messages in what is left. */
export const oracle = strategy('oracle (evidence first)', (evidence) => evidence)

function strategy(name: string, wanted: (evidence: readonly number[]) => readonly number[]): Strategy {
  return {
    name,
    pins: { first: false, latest: true },
    ours: false,
    open: (budget) => {
      const log: Message[] = []
      return {
        add: (message) => void log.push(message),
        prompt: () => slide(log, budget, []),
        ask: (question, evidence) => slide([...log, question], budget, wanted(evidence)),
      }
    },
  }
}

function slide(log: readonly Message[], { window, reserve }: Budget, wanted: readonly number[]): Prompt {
  const latest = log.length - 1
  const kept = new Set<number>([latest])
  let room = window - reserve - costAt(log, latest)
  const keep = (index: number): boolean => {
    if (kept.has(index)) return true
    const cost = costAt(log, index)
    if (cost > room) return false
    room -= cost
    kept.add(index)
    return true
  }
  log.forEach((message, index) => message.role === 'system' && keep(index))
  wanted.toSorted((one, other) => costAt(log, one) - costAt(log, other)).forEach(keep)
  for (let index = latest - 1; index >= 0 && keep(index); index--);
  return promptOfKept(
    log,
    [...kept].toSorted((one, other) => one - other),
  )
}

function costAt(log: readonly Message[], index: number): number {
  return messageTokens(log[index] as Message)
}
