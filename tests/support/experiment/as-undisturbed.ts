import type { Store } from 'minutebook'
import { expect } from 'vitest'
import { evidenceOf } from './evidence.ts'
import type { provingGround } from './proving-ground.ts'

/**
 * A run that was killed on and on is as if nothing had happened, and no answer that was on record was asked for again.
 */
export async function asUndisturbed(
  store: Store,
  run: string,
  ground: Awaited<ReturnType<typeof provingGround>>,
): Promise<{ readonly answers: number; readonly calls: number }> {
  const calls = ground.calls()
  expect(calls.filter(({ isAnswered }) => isAnswered)).toEqual([])
  expect(await evidenceOf(store, run, ground.experiment)).toEqual(ground.undisturbed)
  const answers = Object.values(ground.undisturbed.asked).flat().length
  expect(new Set(calls.map(({ hash }) => hash)).size).toBe(answers)
  // Else no kill came while a model spoke.
  expect(calls.length).toBeGreaterThan(answers)
  return { answers, calls: calls.length }
}
