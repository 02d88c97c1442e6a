import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from './api.tsx'
import { entriesKey, type Entry, type ShownThread } from './entries.ts'
import { lookForWaiting } from './waiting.ts'

/** The answer that is being written on a thread. */
export interface Live {
  readonly text: string
  readonly isRunning: boolean
  /** Why the thread is not followed any more. An outage is no reason: the stream is opened again by itself. */
  readonly failure?: { readonly error: unknown; readonly onRetry: () => void }
}

const resting: Live = { text: '', isRunning: false }

/**
 * Follows a thread, on whatever instance its turns run: the text as it is written, and each entry once it is recorded.
 */
export function useLive(thread: string): Live {
  const client = useClient()
  const queries = useQueryClient()
  const [live, setLive] = useState<Live>(resting)
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    const left = new AbortController()
    let text = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = (): void => {
      timer = undefined
      setLive({ text, isRunning: true })
    }
    const still = (next: Live): void => {
      clearTimeout(timer)
      timer = undefined
      setLive(next)
    }
    const follow = async (): Promise<void> => {
      for await (const { event, data } of client.follow(thread, { signal: left.signal })) {
        if (left.signal.aborted) return
        if (event === 'text') text = text.slice(0, data.offset) + data.text
        if (event === 'reset') text = ''
        if (event === 'text' || event === 'reset') timer ??= setTimeout(draw, drawEvery)
        if (event === 'entry') {
          await take(queries, thread, data, () => {
            if (data.kind === 'assistant' || data.kind === 'stop') text = ''
            still({ text, isRunning: data.kind !== 'stop' })
          })
          if (data.kind === 'tool') lookForWaiting(queries, thread)
        }
        if (event === 'branch') {
          text = ''
          await queries.refetchQueries({ queryKey: ['entries', thread], type: 'active' })
          still({ text, isRunning: true })
        }
        if (event === 'changed') await queries.refetchQueries({ queryKey: ['entries', thread], type: 'active' })
        if (event === 'end') {
          text = ''
          await queries.invalidateQueries({ queryKey: ['entries', thread] })
          still(resting)
          lookForWaiting(queries, thread)
          for (const about of ['thread', 'calls', 'state'])
            void queries.invalidateQueries({ queryKey: [about, thread] })
        }
      }
    }
    setLive(resting)
    follow().catch((error: unknown) => {
      if (!left.signal.aborted) still({ ...resting, failure: { error, onRetry: () => setAttempt(attempt + 1) } })
    })
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [client, queries, thread, attempt])
  return live
}

/** Milliseconds between two renders: faster than people read, slow enough to lay out a long answer. */
const drawEvery = 40

/**
 * Appends an entry to the newest branch. If it belongs elsewhere, everything is read again. `taken` is called when the
 * entry is there: until then its text stays, and then no longer.
 */
async function take(queries: QueryClient, thread: string, entry: Entry, taken: () => void): Promise<void> {
  const key = entriesKey(thread, undefined)
  const held = queries.getQueryData<ShownThread>(key)
  const next = held && extended(held, entry)
  if (next) {
    queries.setQueryData(key, next)
    taken()
  }
  // An answer that is on its way may be older than this entry. A new request takes its place.
  if (!next || queries.isFetching({ queryKey: key, exact: true }) > 0)
    await queries.refetchQueries({ queryKey: ['entries', thread], type: 'active' })
  if (!next) taken()
}

/**
 * A branch with a new entry at its end. Undefined if the entry does not continue this branch: then read it again.
 *
 * @example
 * const next = extended(shown, entry) ?? (await read())
 */
export function extended(shown: ShownThread, entry: Entry): ShownThread | undefined {
  if (shown.entries.some(({ id }) => id === entry.id)) return shown
  const isChained = chained.has(entry.kind)
  if (entry.parent !== (shown.head === '' ? null : shown.head)) return undefined
  const turn = entry.kind === 'user' ? { turn: shown.entries.filter(({ kind }) => kind === 'user').length + 1 } : {}
  const entries = [...shown.entries, { ...entry, ...turn }]
  if (!isChained) return { ...shown, entries }
  const isShown = ({ head }: { readonly head: string }): boolean => head === shown.head
  return {
    ...shown,
    entries,
    head: entry.id,
    branches: [
      { from: null, text: entry.text, ...shown.branches.find(isShown), head: entry.id },
      ...shown.branches.filter((branch) => !isShown(branch)),
    ],
  }
}

const chained: ReadonlySet<Entry['kind']> = new Set(['system', 'user', 'assistant', 'tool'])
