import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore, type Entry, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { cases } from '../../../tests/support/runs.ts'

/** All that a list, a search and a runner depend on, in a few lines. */
interface Simple {
  texts: string[]
  term: number
  erasures: number
  written: number
}

const step = fc.record({
  act: fc.constantFrom('append', 'append', 'append', 'claim', 'erase', 'remove'),
  thread: fc.constantFrom('a', 'b'),
  /** How many terms behind the writer is. */
  late: fc.constantFrom(0, 0, 0, 1, 2),
})

describe.each<[string, () => Store]>([
  ['memory', memoryStore],
  ['a file', () => sqliteStore(':memory:')],
])('in %s, any order of', (_, open) => {
  test('append, claim, erase and remove on two threads does what a simple model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = open()
        const model = new Map<string, Simple>()
        const modelOf = (thread: string): Simple => {
          const simple = model.get(thread) ?? { texts: [], term: 0, erasures: 0, written: 0 }
          model.set(thread, simple)
          return simple
        }
        for (const [index, { act, thread, late }] of steps.entries()) {
          const simple = modelOf(thread)
          if (act === 'append') {
            const last: Entry | undefined = (await store.read(thread, { last: 1 }))[0]
            const term = Math.max(0, simple.term - late)
            const { ok } = await store.append(thread, [entryOf(user(`word${index}`), last)], { term })
            expect(ok).toBe(term === simple.term)
            if (ok) Object.assign(simple, { texts: [...simple.texts, `word${index}`], written: index + 1 })
          } else if (act === 'claim') {
            expect((await store.claim(thread)).term).toBe(++simple.term)
          } else if (act === 'erase') {
            const { erased } = await store.erase(thread)
            expect(erased).toHaveLength(simple.texts.filter((text) => text !== '').length)
            if (erased.length > 0) simple.erasures++
            simple.texts = simple.texts.map(() => '')
          } else {
            expect((await store.remove(thread)).entries).toBe(simple.texts.length)
            if (simple.texts.length > 0 || simple.term > 0 || simple.erasures > 0)
              Object.assign(simple, { texts: [], term: simple.term + 1, erasures: simple.erasures + 1, written: 0 })
          }
          for (const [name, { texts }] of model)
            for (const text of texts.filter(Boolean))
              expect((await store.search(text)).map((found) => found.thread)).toEqual([name])
          const listed = [...model].filter(([, { texts }]) => texts.length > 0)
          expect((await store.list()).threads.map((found) => [found.thread, found.length])).toEqual(
            listed
              .toSorted(([, one], [, other]) => other.written - one.written)
              .map(([name, { texts }]) => [name, texts.length]),
          )
          expect((await store.read(thread)).map(({ text }) => text)).toEqual(simple.texts)
          expect(await store.standing(thread)).toMatchObject({
            length: simple.texts.length,
            term: simple.term,
            erasures: simple.erasures,
          })
        }
        expect(await store.search('word')).toEqual([])
      }),
      { numRuns: cases('long') },
    )
  })
})
