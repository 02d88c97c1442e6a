// A trimmer as many programs have it: the system messages, and the newest messages that fit.
import type { Message } from 'minutebook'

/** Keeps the system messages, and drops the oldest of the others until the rest fits. Never begins with a tool result. */
export function trim(
  messages: readonly Message[],
  window: number,
  count: (messages: readonly Message[]) => number,
): Message[] {
  const system = messages.filter(({ role }) => role === 'system')
  let rest = messages.filter(({ role }) => role !== 'system')
  while (rest.length > 1 && (count([...system, ...rest]) > window || rest[0]?.role === 'tool')) rest = rest.slice(1)
  return [...system, ...rest]
}
