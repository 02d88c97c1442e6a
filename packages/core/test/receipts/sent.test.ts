import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { referencesOf, sentAfter, type Reference, type SentByReference } from '../../src/receipts/message-reference.ts'

/** What was sent before, what is sent, and what of it must be said anew. */
const table: readonly (readonly [name: string, before: string, now: string, said: string])[] = [
  ['the same again', 'abc', 'abc', '|abc|'],
  ['more', 'abc', 'abcde', '|abc|de'],
  ['a dated system message', 'sabc', 'tabcde', 't|abc|de'],
  ['a trimmed front', 'abcdef', 'cdefgh', '|cdef|gh'],
  ['both', 'sabcdef', 'tcdefgh', 't|cdef|gh'],
  ['an edit near the end', 'abcdef', 'abcdxy', '|abcd|xy'],
  ['an edit near the beginning', 'abcdef', 'axcdef', 'ax|cdef|'],
  ['something else', 'abc', 'xyz', '||xyz'],
]

describe('what is sent after something else', () => {
  test.each(table)('%s', (_, before, now, said) => {
    const sent = sentAfter(now.split(''), { id: 'r', references: before.split('') })
    const kept = before.slice(sent.drop, sent.drop + sent.keep)
    expect([sent.before.map(String).join(''), kept, sent.after.map(String).join('')].join('|')).toBe(said)
  })

  test('is found again through any number of calls, whatever they sent', () => {
    const list = fc.array(
      fc.oneof(
        fc.constantFrom<Reference[]>('a', 'b', 'c', 'd', 'e', 'f', 'g'),
        fc.constantFrom<Reference[]>({ form: 'h' }, { entry: 'a', without: ['x'] }),
      ),
      { maxLength: 9 },
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(list, fc.nat({ max: 5 })), { minLength: 1, maxLength: 8 }), (lists) => {
        const known = new Map<string, SentByReference>()
        for (const [index, [references, back]] of lists.entries()) {
          const base = String(index - 1 - back)
          const earlier = known.get(base)
          const sent = sentAfter(
            references,
            earlier && { id: base, references: referencesOf(earlier, (id) => known.get(id))! },
          )
          known.set(String(index), sent)
          expect(referencesOf(sent, (id) => known.get(id))).toEqual(references)
        }
      }),
    )
  })

  test('cannot be told where what it builds on is gone', () => {
    const sent = sentAfter(['a', 'b', 'c'], { id: 'r', references: ['a', 'b'] })
    expect(referencesOf(sent, () => undefined)).toBeUndefined()
    expect(referencesOf(sentAfter(['x'], { id: 'r', references: ['a'] }), () => undefined)).toEqual(['x'])
  })

  test('is put together in one pass, however many calls there were', () => {
    const known = new Map<string, SentByReference>()
    for (let turn = 0; turn < 20_000; turn++)
      known.set(String(turn), {
        base: turn === 0 ? null : String(turn - 1),
        before: [],
        drop: 0,
        keep: turn * 2,
        after: [`q${turn}`, `a${turn}`],
      })
    let looked = 0
    const references = referencesOf(known.get('19999')!, (id) => (looked++, known.get(id)))
    expect([references?.length, references?.[0], references?.at(-1), looked]).toEqual([40_000, 'q0', 'a19999', 19_999])
  })
})
