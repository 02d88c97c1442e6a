import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { history, memoryStore, type Entry, type Kind } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { storeCases, system, user } from '@minutebook/testing'
import { cases } from '../../../../tests/support/runs.ts'

describe('the memory store', () => {
  // It does not outlive its process, so there is nothing to reopen.
  for (const { name, run } of storeCases.filter(({ topic }) => topic !== 'reopen'))
    test(name, () => run({ store: memoryStore() }))
})

describe('a tail', () => {
  afterEach(() => void vi.restoreAllMocks())

  test.each([[{ last: 10 }], [{ last: 10, branch: true }], [{ from: 1990 }]])(
    '%o of 2,000 entries reads ten texts',
    async ({ branch, ...range }: { branch?: boolean; last?: number; from?: number }) => {
      const store = memoryStore()
      const entries = conversation(2000)
      await store.append('t', entries)
      const parse = vi.spyOn(JSON, 'parse')
      const read = await store.read('t', { ...range, ...(branch && { head: entries[1999]!.id }) })
      expect(read.map(({ seq }) => seq)).toEqual([1990, 1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998, 1999])
      expect(parse).toHaveBeenCalledTimes(10)
    },
  )
})

test('a branch is what history says, for any tree', async () => {
  const kinds: readonly Kind[] = ['user', 'assistant', 'tool', 'note', 'receipt', 'pending']
  const shape = fc.array(fc.record({ kind: fc.constantFrom(...kinds), after: fc.nat() }), {
    minLength: 1,
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.nat(),
      fc.option(fc.nat({ max: 12 })),
      fc.option(fc.nat({ max: 25 })),
      fc.option(fc.nat({ max: 25 })),
      async (shapes, chosen, last, from, to) => {
        const log: Entry[] = []
        for (const [index, { kind, after }] of shapes.entries())
          log.push(
            entryOf(
              system(`${index}`),
              after % (log.length + 1) === 0 ? undefined : log[(after % (log.length + 1)) - 1],
              { kind },
            ),
          )
        const store = memoryStore()
        await store.append('t', log)
        const head = log[chosen % log.length]!.id
        const branch = history(await store.read('t'), { head }).filter(
          ({ seq }) => seq >= (from ?? 0) && seq < (to ?? Infinity),
        )
        const tail = last === null ? branch : branch.slice(Math.max(0, branch.length - last))
        expect(
          await store.read('t', {
            head,
            ...(last !== null && { last }),
            ...(from !== null && { from }),
            ...(to !== null && { to }),
          }),
        ).toEqual(tail)
      },
    ),
    { numRuns: cases('few') },
  )
})

function conversation(length: number): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < length; index++) entries.push(entryOf(user(`message ${index}`), entries.at(-1)))
  return entries
}
