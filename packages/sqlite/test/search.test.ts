import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'

const pieces = [
  'lamp',
  'Lamp',
  'LAMP7',
  'red',
  '7',
  'Ünïcode',
  'unicode',
  'ﬁne',
  'fine',
  '天',
  '气',
  '天气',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(130),
  "don't",
  'e\u0301',
  'é',
  'İ',
  'ß',
  'ς',
  'Σ',
  '\u0000',
  '\ud800',
  '😀',
]
const gaps = [
  ' ',
  ' ',
  ' ',
  '',
  '-',
  '_',
  '.',
  '"',
  "'",
  '*',
  ':',
  '(',
  ')',
  '^',
  '+',
  '\n',
  '\u00a0',
  '\\',
  ' AND ',
  ' OR ',
  ' NOT ',
  ' NEAR ',
]
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...gaps)), { maxLength: 8 })
  .map((parts) => parts.flat().join(''))
const anyText = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
)

test('the file finds what memory finds, whatever is said and asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyText, { minLength: 1, maxLength: 6 }),
      fc.array(anyText, { minLength: 1, maxLength: 6 }),
      async (said, asked) => {
        using file = sqliteStore(':memory:')
        const memory = memoryStore()
        const entries: Entry[] = []
        for (const content of said) entries.push(entryOf(user(content), entries.at(-1)))
        for (const store of [file, memory]) await store.append('t', entries)
        for (const query of [...asked, ...said]) expect(await file.search(query)).toEqual(await memory.search(query))
      },
    ),
  )
})
