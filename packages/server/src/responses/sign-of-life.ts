import { entryOf, type Store } from 'minutebook'
import type { FoundResponse } from './find-response.ts'

/**
 * As long as a response is worked on, its instance says so on record now and then. One without an ending, of which nothing was
 * heard for longer than that takes, has nobody who works on it: its instance is gone. Most are over before the first sign.
 */
export async function withSigns<T>(kept: { readonly store: Store; readonly thread: string } | undefined, id: string, work: () => Promise<T>): Promise<T> {
  if (!kept) return work()
  // One that cannot be written is made up for by the next.
  const timer = setInterval(() => void recordSign(kept.store, kept.thread, id, Date.now()).catch(() => undefined), signEvery).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Whether nobody works on a response that has no ending. */
export async function isAbandoned(store: Store, { thread, begun: { id, created }, ending }: FoundResponse, now: number): Promise<boolean> {
  if (ending || now - created * 1000 < longestSilence) return false
  const [sign] = await store.read(thread, { key: signKey(id), last: 1 })
  return now - Number(sign?.text ?? 0) >= longestSilence
}

/** In the thread itself: a `pending` entry that waits for nothing. */
export async function recordSign(store: Store, thread: string, id: string, now: number): Promise<void> {
  await store.append(thread, [entryOf({ role: 'user', content: String(now) }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key: signKey(id) })])
}

export function signKey(id: string): string {
  return `minutebook:working:${id}`
}

/** Milliseconds. Two signs may be missed, and clocks of instances differ by some seconds. */
export const signEvery = 15_000
export const longestSilence = 45_000
