import type { Position, Shown } from '../feed/live-text.ts'
import type { StoredEntry } from '../log/store.ts'
import { newestTurn, next } from '../record/next.ts'
import type { Holding } from '../turn/holding.ts'
import { glances, type Glanced } from './glances.ts'
import { observe } from './observe.ts'

export interface FollowOptions {
  /** Where to go on: the term of the last piece, and its offset + length. */
  readonly from?: Position | undefined
  /** Ends the following, not the turn. */
  readonly signal?: AbortSignal | undefined
}

type Followed = Glanced & Pick<Holding, 'log' | 'store'> & {
  /** Whether someone will admit what waits. */
  readonly isHosted: boolean
}

/** The text of the turn that a thread stands in, as it is written, wherever that is. Ends when the turn does; at once where none runs. */
export async function* follow(followed: Followed, { from, signal }: FollowOptions): AsyncGenerator<Shown, void, void> {
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  try {
    const asked = await running(followed, left.signal)
    if (!asked) return
    const start = from ?? { term: (await followed.store.standing(followed.thread)).term, offset: 0 }
    yield* streamed((show) => observe(followed, { asked, since: asked.seq, from: start }, { show }, left.signal))
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

/** The user entry of the turn that runs, or is about to. */
async function running(followed: Followed, signal: AbortSignal): Promise<StoredEntry | undefined> {
  const { log } = followed
  for await (const _ of glances(followed, signal)) {
    const coming = next(log.branch(), log.entries).do
    if (coming === 'call' || coming === 'run') return newestTurn(log.branch())[0]
    if (coming === 'rest' || !followed.isHosted) return undefined
  }
  return undefined
}

/** What some work shows, to be iterated while it is done. */
async function* streamed<T>(work: (show: (shown: T) => void) => Promise<unknown>): AsyncGenerator<T, void, void> {
  const queue: T[] = []
  let isOver = false
  let ring = (): void => undefined
  const working = work((shown) => {
    queue.push(shown)
    ring()
  }).finally(() => {
    isOver = true
    ring()
  })
  working.catch(() => undefined)
  while (queue.length > 0 || !isOver) {
    if (queue.length === 0) await new Promise<void>((resolve) => (ring = resolve))
    yield* queue.splice(0)
  }
  await working
}
