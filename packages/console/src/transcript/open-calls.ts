import type { Entry } from '../api/types.ts'

/** The calls that a branch ends with and that have no result yet, with the entry to go on from. */
export interface OpenCalls {
  readonly calls: Entry['calls']
  readonly after: string
}

/**
 * By their ids where there are any, else in their order.
 *
 * @example
 * const { calls, after } = openCallsOf(shown.entries)
 */
export function openCallsOf(entries: readonly Entry[]): OpenCalls {
  const chain = entries.filter(({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'tool')
  const last = chain.findLastIndex(({ kind }) => kind !== 'tool')
  const caller = chain[last]
  const after = chain.at(-1)?.id ?? ''
  if (
    caller?.kind !== 'assistant' ||
    entries.findLast(({ kind }) => kind === 'stop' || kind === 'assistant' || kind === 'tool')?.kind === 'stop'
  )
    return { calls: [], after }
  let open = caller.calls
  for (const { answers } of chain.slice(last + 1)) {
    const at = answers?.id === undefined ? 0 : open.findIndex(({ id }) => id === answers.id)
    open = open.toSpliced(Math.max(0, at), 1)
  }
  return { calls: open, after }
}
