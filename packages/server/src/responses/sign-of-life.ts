import type { Store } from 'minutebook'
import type { FoundResponse } from './find-response.ts'
import { workingName } from './kept-response.ts'

/**
 * As long as a response is worked on, its instance says so on record now and then. One without an ending, of which
 * nothing was heard for longer than that takes, has nobody who works on it: its instance is gone. Most are over before
 * the first sign.
 */
export async function withSigns<T>(
  kept: { readonly store: Store; readonly thread: string } | undefined,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!kept) return work()
  // One that cannot be written is made up for by the next.
  const timer = setInterval(
    () => void recordSign(kept.store, kept.thread, id, Date.now()).catch(() => undefined),
    signEvery,
  ).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Whether nobody works on a response that has no ending. */
export async function isAbandoned(
  store: Store,
  { thread, begun: { id, created }, ending }: FoundResponse,
  now: number,
): Promise<boolean> {
  if (ending || now - created * 1000 < longestSilence) return false
  const [sign] = await store.records.find({ name: workingName, key: id, thread })
  return now - Number(sign?.value ?? 0) >= longestSilence
}

export async function recordSign(
  store: Pick<Store, 'records'>,
  thread: string,
  id: string,
  now: number,
): Promise<void> {
  await store.records.put(thread, [{ name: workingName, key: id, value: now }])
}

/** Milliseconds. Two signs may be missed, and clocks of instances differ by some seconds. */
export const signEvery = 15_000
export const longestSilence = 45_000
