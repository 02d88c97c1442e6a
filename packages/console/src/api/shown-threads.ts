import { useSyncExternalStore } from 'react'

/** Threads that are listed only if a person asks for them: of participants of runs, single questions, and forks. */
export type ThreadSort = 'runs' | 'one-offs' | 'forks'

export const threadSorts: readonly ThreadSort[] = ['runs', 'one-offs', 'forks']

interface ShownSorts {
  readonly shown: readonly ThreadSort[]
  /** Whether a person chose them. If not, one-offs and the like are shown as long as there is nothing else. */
  readonly isChosen: boolean
  readonly choose: (shown: readonly ThreadSort[]) => void
}

const place = 'minutebook-threads'
const changed = 'minutebook-threads-changed'

/** Which sorts of threads are listed. The browser remembers it. */
export function useShownSorts(): ShownSorts {
  const kept = useSyncExternalStore(listen, () => localStorage.getItem(place))
  return { shown: sortsIn(kept ?? ''), isChosen: kept !== null, choose }
}

/** The sorts that a text names. */
export function sortsIn(text: string): readonly ThreadSort[] {
  const words = text.split(',')
  return threadSorts.filter((sort) => words.includes(sort))
}

function choose(shown: readonly ThreadSort[]): void {
  localStorage.setItem(place, shown.join(','))
  dispatchEvent(new Event(changed))
}

function listen(hear: () => void): () => void {
  addEventListener(changed, hear)
  addEventListener('storage', hear)
  return () => {
    removeEventListener(changed, hear)
    removeEventListener('storage', hear)
  }
}
