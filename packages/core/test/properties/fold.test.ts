import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance, compile, createFold, loadFold, MinutebookError, saveFold, type CompileOptions, type Entry, type Fold, type Message } from 'minutebook'
import { words } from 'minutebook/testing'
import { anyPolicy, conversation, windowSize } from '../support/arbitrary.ts'
import { entriesOf } from '../support/entries.ts'
import { runs } from '../support/runs.ts'

describe('a fold', () => {
  test('that was advanced entry by entry, saved and loaded, or branched off has the same bytes as one that was rebuilt', () => {
    fc.assert(
      fc.property(conversation, conversation, anyPolicy, windowSize, fc.nat(), (messages, others, policy, window, pick) => {
        const options = { window, policy, counter: words }
        const entries = entriesOf(...messages)
        const middle = entries.length === 0 ? 0 : pick % (entries.length + 1)
        const rebuilt = bytes(foldOf(entries, options))

        const half = foldOf(entries.slice(0, middle), options)
        compileQuietly(half)
        const loaded = loadFold(JSON.parse(JSON.stringify(saveFold(half))), entries.slice(0, middle), options)
        compileQuietly(loaded)
        expect(bytes(entries.slice(middle).reduce(advance, loaded))).toBe(rebuilt)

        const branch = others.reduce<Fold>(advance, half)
        compileQuietly(branch)
        const whole = entries.slice(middle).reduce(advance, half)
        expect(bytes(whole)).toBe(rebuilt)
        expect(bytes(branch)).toBe(bytes(foldOf(entriesOf(...messages.slice(0, middle), ...others), options)))
        expect(bytes(half)).toBe(bytes(foldOf(entries.slice(0, middle), options)))
      }),
      { numRuns: runs },
    )
  })

  test('compiles to the same bytes as the plain messages, also under other options', () => {
    fc.assert(
      fc.property(conversation, anyPolicy, anyPolicy, windowSize, windowSize, (messages, policy, other, window, size) => {
        const fold = messages.reduce<Fold>(advance, createFold({ window, policy, counter: words }))
        const warm = outcome(() => compile(fold, { window: size, policy: other }))
        expect(warm).toBe(outcome(() => compile(messages, { window: size, policy: other, counter: words })))
        if (messages.length > 0) {
          const unaware = messages.slice(1).reduce<Fold>(advance, advance<Message>(undefined, messages[0]!))
          expect(outcome(() => compile(unaware, { window: size, policy: other, counter: words }))).toBe(warm)
        }
        expect(outcome(() => compile(fold))).toBe(outcome(() => compile(messages, { window, policy, counter: words })))
      }),
      { numRuns: runs },
    )
  })

  test('that is loaded under another window, reserve or policy compiles as if it had been folded so', () => {
    fc.assert(
      fc.property(conversation, anyPolicy, anyPolicy, windowSize, windowSize, fc.nat({ max: 40 }), (messages, policy, other, window, size, reserve) => {
        const entries = entriesOf(...messages)
        const saved = saveFold(foldOf(entries, { window, policy, counter: words }))
        const options = { window: size, reserve, policy: other, counter: words }
        expect(outcome(() => compile(loadFold(saved, entries, options)))).toBe(outcome(() => compile(entries, options)))
      }),
      { numRuns: runs },
    )
  })

  test('is not loaded over another log', () => {
    const options = { window: 100, counter: words }
    const saved = saveFold(foldOf(entriesOf({ role: 'user', content: 'one' }), options))
    const other = entriesOf({ role: 'user', content: 'two' })
    expect(() => loadFold(saved, other, options)).toThrow(expect.objectContaining({ code: 'stale_fold' }))
  })
})

function bytes(fold: Fold): string {
  return JSON.stringify(saveFold(fold))
}

function foldOf(entries: readonly Entry[], options: CompileOptions): Fold {
  return entries.reduce<Fold>(advance, createFold(options))
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
