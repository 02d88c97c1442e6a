import type { Turn, TurnResult } from 'minutebook'
import { afterAll, beforeAll } from 'vitest'
import type { FaultyStore } from './faulty-store.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** Rounds of the event loop after which nothing more happens. */
const rounds = 60

/**
 * How a turn ended. It is cancelled if nothing happens any more. Undefined if even that does not help: its store is
 * gone.
 */
export async function settled(turn: Turn): Promise<TurnResult | undefined> {
  let result: TurnResult | undefined
  void turn.done.then((ended) => (result = ended))
  for (let round = 0; round < rounds && !result; round++) await tick()
  if (!result) turn.cancel()
  for (let round = 0; round < rounds && !result; round++) await tick()
  return result
}

/** Waits for the work, but not longer than a while after its store has died: that may have gone without a word. */
export async function unlessSilent(work: Promise<void>, store: FaultyStore): Promise<void> {
  let isOver = false
  const over = work.finally(() => (isOver = true))
  const silence = async (): Promise<void> => {
    for (let dead = 0; !isOver && dead < 3 * rounds; dead += store.dead ? 1 : 0) await tick()
  }
  await Promise.race([over, silence()])
}

/** The rejections of a test file that no code handled. Call it at the top of the file. */
export function unhandledRejections(): readonly unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  beforeAll(() => void process.on('unhandledRejection', note))
  afterAll(() => void process.off('unhandledRejection', note))
  return unhandled
}
