import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimator } from '../../src/tokens/estimator.ts'
import { checkedCount, countInSteps } from '../../src/tokens/tokens.ts'
import { entryOf, type Entry } from '../../src/log/entry.ts'
import { atOnce, createPauses, inSlices, type Steps } from '../../src/log/time.ts'
import { createFoldCache } from '../../src/past/fold-branch.ts'
import { promptOf } from '../../src/receipts/prompt.ts'
import { cases } from '../../../../tests/support/runs.ts'

describe('steps', () => {
  const climb = function* (height: number): Steps<number> {
    for (let step = 0; step < height; step++) yield 100_000
    return height
  }

  test('come to the same at once and in slices', async () => {
    expect(atOnce(climb(7))).toBe(7)
    expect(await inSlices(climb(7), () => undefined)).toBe(7)
  })

  test('let others have their turn after each stretch, if the clock can', async () => {
    let turns = 0
    const clock = { now: () => '', after: () => new Promise<void>(() => undefined), pause: async () => void turns++ }
    await inSlices(climb(30), createPauses(clock))
    expect(turns).toBe(10)
    await inSlices(climb(30), createPauses({ now: clock.now, after: clock.after }))
    await inSlices(climb(30), createPauses(undefined))
    expect(turns).toBe(10)
  })
})

describe('a long text', () => {
  const words = {
    name: 'words',
    overhead: 0,
    count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length,
  }

  test('is counted in pieces that cut no word, and yields after each', () => {
    const text = 'harbour lamp\n'.repeat(20_000)
    expect(checkedCount(words, text)).toBe(40_000)
    const works = [...countInSteps(words, text)].map(Number)
    expect(works.reduce((sum, work) => sum + work, 0)).toBe(text.length)
    expect(works.every((work) => work <= 1 << 16)).toBe(true)
  })

  test('without a blank is cut between characters', () => {
    const seen: string[] = []
    const counter = { name: 'seen', overhead: 0, count: (text: string) => seen.push(text) }
    checkedCount(counter, '😀'.repeat(100_000))
    expect(seen.join('')).toBe('😀'.repeat(100_000))
    expect(seen.some((piece) => halves.test(piece))).toBe(false)
  })

  test('counts about as much as in one piece', () => {
    const text = 'The harbour was quiet, and the lamp of 1887 burned. '.repeat(10_000)
    expect(checkedCount(estimator, text) / estimator.count(text)).toBeCloseTo(1, 2)
  })
})

const halves = /^\p{Surrogate}|\p{Surrogate}$/u

/** Relays of one thread share what one of them has worked out, and each may be left in the middle. */
test('branches that are followed by turns become the same prompts as one after the other', () => {
  const trunk = chain(['one', 'two', 'three'], undefined)
  const branches = [
    trunk,
    [...trunk, ...chain(['four', 'five'], trunk.at(-1))],
    [...trunk.slice(0, 2), ...chain(['other'], trunk[1])],
  ]
  const options = { window: 60, counter: { name: 'letters', overhead: 1, count: (text: string) => text.length } }
  const steps = (follow: ReturnType<typeof createFoldCache>, branch: readonly Entry[]): Steps<string> =>
    (function* () {
      return (yield* promptOf(yield* follow(branch), [], null)).hash
    })()
  fc.assert(
    fc.property(
      fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 200 }),
      (chosen, order) => {
        const follow = createFoldCache(options)
        const work = chosen.map((index) => steps(follow, branches[index]!))
        const hashes: (string | undefined)[] = chosen.map(() => undefined)
        const go = (index: number): void => {
          const step = hashes[index] === undefined ? work[index]!.next() : undefined
          if (step?.done) hashes[index] = step.value
        }
        for (const index of order) go(index % chosen.length)
        for (const index of chosen.keys()) while (hashes[index] === undefined) go(index)
        expect(hashes).toEqual(chosen.map((index) => atOnce(steps(createFoldCache(options), branches[index]!))))
      },
    ),
    { numRuns: cases('few') },
  )
})

function chain(texts: readonly string[], after: Entry | undefined): Entry[] {
  const entries: Entry[] = []
  for (const content of texts)
    entries.push(
      entryOf(
        { role: (entries.at(-1) ?? after)?.kind === 'user' ? 'assistant' : 'user', content },
        entries.at(-1) ?? after,
      ),
    )
  return entries
}
