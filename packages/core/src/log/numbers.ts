import { withNewestSystemText, type Entry } from './entry.ts'
import { traits } from './kind.ts'

/**
 * Which number does a message have? Its place among the messages of its branch, counted from 0: the same in every fork
 * of it. Prompts quote messages with it (`#3 user> …`), and everything that people see names messages by it. Yields
 * each entry that prompts may have, with its number. What hangs off a message has the number of that message. `before`:
 * how many messages of the branch come before these.
 */
export function* numbered<E extends Entry>(
  branch: readonly E[],
  before = 0,
): Generator<readonly [entry: E, number: number]> {
  let count = before
  for (const entry of withNewestSystemText(branch)) {
    if (traits[entry.kind].chained) count++
    yield [entry, count - 1]
  }
}

/**
 * The number of each message of a branch, by its id. Other entries have none, and neither does a system text that a
 * newer one has replaced.
 *
 * @example
 * const number = numbersOf(history(log)).get(entry.id)
 */
export function numbersOf(branch: readonly Entry[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const [{ id, kind }, number] of numbered(branch)) if (traits[kind].chained) numbers.set(id, number)
  return numbers
}

/** The numbers of the erased messages of a branch, in ascending order. */
export function erasedNumbers(branch: readonly Entry[]): readonly number[] {
  if (!branch.some(({ status }) => status === 'erased')) return []
  const numbers = numbersOf(branch)
  return branch.flatMap(({ id, status }) => (status === 'erased' ? (numbers.get(id) ?? []) : []))
}
