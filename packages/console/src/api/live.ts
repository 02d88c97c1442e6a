import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from './api.tsx'
import { entriesKey, type Entry, type ShownThread } from './entries.ts'

/** What is being written on a thread right now. */
export interface Live {
  readonly text: string
  readonly isRunning: boolean
  /** Why the stream cannot be had; it is tried again by itself where that helps. */
  readonly error?: unknown
}

const resting: Live = { text: '', isRunning: false }

/**
 * Follows a thread, on whatever instance its turns run: the text as it is written, and the entries as soon as they are
 * on record.
 */
export function useLive(thread: string): Live {
  const client = useClient()
  const queries = useQueryClient()
  const [live, setLive] = useState<Live>(resting)
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
          // The text stays until the entry that takes its place is there.
          await take(queries, thread, data)
          if (data.kind === 'assistant' || data.kind === 'stop') text = ''
          still({ text, isRunning: data.kind !== 'stop' })
        }
        if (event === 'end') {
          text = ''
          await queries.invalidateQueries({ queryKey: ['entries', thread] })
          still(resting)
          for (const about of ['thread', 'calls', 'state'])
            void queries.invalidateQueries({ queryKey: [about, thread] })
        }
      }
    }
    setLive(resting)
    follow().catch((error: unknown) => left.signal.aborted || setLive({ ...resting, error }))
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [client, queries, thread])
  return live
}

/** Milliseconds: faster than one reads, and slow enough for a long answer to be laid out anew. */
const drawEvery = 40

/** Puts an entry where it belongs; where that is not the end of the newest branch, all is read anew. */
async function take(queries: QueryClient, thread: string, entry: Entry): Promise<void> {
  const held = queries.getQueryData<ShownThread>(entriesKey(thread, undefined))
  const next = held && extended(held, entry)
  if (next) queries.setQueryData(entriesKey(thread, undefined), next)
  else await queries.refetchQueries({ queryKey: ['entries', thread], type: 'active' })
}

/**
 * A branch with an entry that was told just now; undefined where it does not go on from there, and all must be read
 * anew.
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
  return {
    ...shown,
    entries,
    head: entry.id,
    branches: [entry.id, ...shown.branches.filter((head) => head !== shown.head)],
  }
}

const chained: ReadonlySet<Entry['kind']> = new Set(['system', 'user', 'assistant', 'tool'])
