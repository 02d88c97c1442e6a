import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, MinutebookError, type CompileOptions, type Entry, type Message } from 'minutebook'
import { advance, createFold, loadFold, saveFold, type Fold } from 'minutebook/fold'
import { words } from '@minutebook/testing'
import { anyDigesters, anyPolicy, logs, windowSize } from '../../../../tests/support/arbitrary.ts'
import { entriesOf, type Log } from '../../../../tests/support/entries.ts'

describe.each(logs)('a fold of %s', (_, anyLog) => {
  test('that was advanced entry by entry, saved and loaded, or branched off has the same bytes as one that was rebuilt', () => {
    fc.assert(
      fc.property(
        anyLog,
        anyLog,
        anyPolicy,
        windowSize,
        fc.nat(),
        anyDigesters,
        (log, others, policy, window, pick, digesters) => {
          const options = { window, policy, counter: words, digesters }
          const entries = entriesOf(...log)
          const middle = entries.length === 0 ? 0 : pick % (entries.length + 1)
          const rebuilt = bytes(foldOf(entries, options))

          const half = foldOf(entries.slice(0, middle), options)
          compileQuietly(half)
          const loaded = loadFold(JSON.parse(JSON.stringify(saveFold(half))), options)
          compileQuietly(loaded)
          expect(bytes(entries.slice(middle).reduce(advance, loaded))).toBe(rebuilt)

          const branch = entriesOf(...entries.slice(0, middle), ...others)
            .slice(middle)
            .reduce(advance, half)
          compileQuietly(branch)
          const whole = entries.slice(middle).reduce(advance, half)
          expect(bytes(whole)).toBe(rebuilt)
          expect(bytes(branch)).toBe(bytes(foldOf(entriesOf(...entries.slice(0, middle), ...others), options)))
          expect(bytes(half)).toBe(bytes(foldOf(entries.slice(0, middle), options)))
        },
      ),
    )
  })

  test('compiles to the same bytes as the plain messages, also under other options', () => {
    fc.assert(
      fc.property(anyLog, anyPolicy, anyPolicy, windowSize, windowSize, (log, policy, other, window, size) => {
        const fold = log.reduce<Fold>(advance, createFold({ window, policy, counter: words }))
        const warm = outcome(() => compile(fold, { window: size, policy: other }))
        expect(warm).toBe(outcome(() => cold(log, { window: size, policy: other, counter: words })))
        if (log.length > 0) {
          const unaware = log.slice(1).reduce<Fold>(advance, advance<Message>(undefined, log[0]!))
          expect(outcome(() => compile(unaware, { window: size, policy: other, counter: words }))).toBe(warm)
        }
        expect(outcome(() => compile(fold))).toBe(outcome(() => cold(log, { window, policy, counter: words })))
      }),
    )
  })

  test('that is loaded under another window, reserve or policy compiles as if it had been folded so', () => {
    fc.assert(
      fc.property(
        anyLog,
        anyPolicy,
        anyPolicy,
        windowSize,
        windowSize,
        fc.nat({ max: 40 }),
        (log, policy, other, window, size, reserve) => {
          // Where notes are sent decides how much entries cost in place.
          if (policy.notes?.place !== other.notes?.place) return
          const entries = entriesOf(...log)
          const saved = saveFold(foldOf(entries, { window, policy, counter: words }))
          const options = { window: size, reserve, policy: other, counter: words }
          expect(outcome(() => compile(loadFold(saved, options)))).toBe(outcome(() => cold(entries, options)))
        },
      ),
    )
  })
})

test('a fold is not loaded under another counter', () => {
  const saved = saveFold(foldOf(entriesOf({ role: 'user', content: 'one' }), { window: 100, counter: words }))
  expect(() => loadFold(saved, { window: 100 })).toThrow(expect.objectContaining({ code: 'stale_fold' }))
})

function bytes(fold: Fold): string {
  return JSON.stringify(saveFold(fold))
}

function foldOf(entries: readonly Entry[], options: CompileOptions): Fold {
  return entries.reduce<Fold>(advance, createFold(options))
}

function cold(log: Log, options: CompileOptions): unknown {
  return compile(log as readonly Message[], options)
}

function compileQuietly(fold: Fold): void {
  outcome(() => compile(fold))
}

function outcome(run: () => unknown): string {
  try {
    return JSON.stringify(run())
  } catch (error) {
    if (MinutebookError.isInstance(error)) return error.code
    throw error
  }
}
