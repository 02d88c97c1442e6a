import type { TurnQueue, Store } from 'minutebook'
import type { Play, RunEvent } from '@minutebook/experiment/run'
import type { NewEntry } from 'minutebook/store'
import { setImmediate as soon } from 'node:timers/promises'

/** What dies at certain places, and is told which round the run is at. */
export interface Fate {
  readonly at: (kind: string) => void
  readonly started: (round: number, play: Play | undefined) => void
}

/** A store whose process may die before, amid and after each write of an experiment. */
export function mortalStore(store: Store, { at, started }: Fate): Store {
  return {
    ...store,
    append: (thread, entries, terms) =>
      mortally(at, wordsFor(thread, entries), () => store.append(thread, entries, terms)),
    claim: (thread) => mortally(at, ['claim'], () => store.claim(thread)),
    read: async (thread, range) => {
      const found = await store.read(thread, range)
      if (thread.startsWith(runPrefix)) for (const entry of found) heed(JSON.parse(entry.text) as RunEvent, started)
      return found
    },
  }
}

/** The same of a queue. */
export function mortalQueue(queue: TurnQueue, { at }: Fate): TurnQueue {
  return {
    ...queue,
    wake: (thread, entries, terms) =>
      mortally(
        at,
        entries.length === 0 ? ['ring'] : thread.startsWith(runPrefix) ? wordsFor(thread, entries) : ['ask'],
        () => queue.wake(thread, entries, terms),
      ),
  }
}

async function mortally<T>(at: Fate['at'], words: readonly string[], write: () => Promise<T>): Promise<T> {
  for (const word of words) at(`before ${word}`)
  const writing = write()
  writing.catch(() => undefined)
  await soon()
  for (const word of words) at(`amid ${word}`)
  const written = await writing
  for (const word of words) at(`after ${word}`)
  return written
}

function wordsFor(thread: string, entries: readonly NewEntry[]): readonly string[] {
  if (thread.startsWith(runPrefix)) return entries.map(({ text }) => (JSON.parse(text) as RunEvent).type)
  return entries.map(({ kind }) => kind)
}

function heed(event: RunEvent, started: Fate['started']): void {
  if (event.type === 'roundStart') started(event.round, event.play)
}

const runPrefix = 'minutebook:run/'
