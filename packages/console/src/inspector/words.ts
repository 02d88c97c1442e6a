import type { Entry } from '../api/entries.ts'

/** What people may see of some entries; undefined where one of them is not among those that may be seen. */
export function wordsOf(ids: readonly string[], entries: readonly Entry[]): string | undefined {
  const found = ids.map((id) => entries.find((entry) => entry.id === id))
  if (found.length === 0 || found.includes(undefined)) return undefined
  return found.map((entry) => textOf(entry!)).join('\n\n')
}

/** An entry with its calls, as text. */
export function textOf({ text, calls }: Pick<Entry, 'text' | 'calls'>): string {
  return [
    text,
    ...calls.map(
      ({ name, arguments: given }) => `→ ${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`,
    ),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
