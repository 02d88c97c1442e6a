import type { Clock } from 'minutebook/clock'
import { tick } from '../../../../tests/support/tick.ts'

/** A clock that goes by rounds of the event loop: a tenth of a second each. So tests that wait do not wait long. */
export function tickClock(): Clock {
  const start = Date.parse('2026-11-15T12:00:00.000Z')
  let [rounds, isRunning, waiting] = [0, false, 0]
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    while (waiting > 0) {
      await tick()
      rounds++
    }
    isRunning = false
  }
  return {
    now: () => new Date(start + rounds * 100).toISOString(),
    after: async (milliseconds, signal) => {
      const end = rounds + Math.ceil(milliseconds / 100)
      waiting++
      void run()
      while (rounds < end && !signal.aborted) await tick()
      waiting--
    },
  }
}
