import { canonicalJson } from '../../log/json.ts'
import { MinutebookError } from '../../log/error.ts'

/** Throws unless both have the same JSON, whatever the order of their keys. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [textOf(actual), textOf(expected)]
  if (one === other) return
  let at = 0
  while (one[at] === other[at]) at++
  throw new Error(`${what}: expected ${clip(other, at)}, got ${clip(one, at)}`)
}

export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`${what}: expected it to hold, and it does not`)
}

/** Throws unless the promise is rejected with an error of ours that has the code. */
export async function rejects(promise: Promise<unknown>, code: string, what: string): Promise<void> {
  const error: unknown = await promise.then(() => undefined, (reason: unknown) => reason)
  if (error === undefined) throw new Error(`${what}: expected the error ${code}, got an answer`)
  if (!MinutebookError.isInstance(error)) throw new Error(`${what}: expected the error ${code}, got ${error instanceof Error ? error.message : typeof error}`)
  equal(error.code, code, what)
}

function textOf(value: unknown): string {
  return value === undefined ? 'undefined' : canonicalJson(value)
}

/** Long texts are shown around the place where they begin to differ. */
function clip(text: string, at: number): string {
  if (text.length <= 400) return text
  const start = Math.max(0, at - 100)
  return `${start > 0 ? '…' : ''}${text.slice(start, at + 200)}… (${text.length} characters)`
}
