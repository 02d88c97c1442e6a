import type { ThreadSummary } from '@minutebook/server'
import { expect, test } from 'vitest'
import { nearest } from '../src/thread/find.ts'

const threads: readonly ThreadSummary[] = [
  ['garden', 'What grows in the shade?'],
  ['garage', 'Where is my bicycle?'],
  ['harbour', 'When is high tide?'],
  ['0198c0de-7a3f', 'Write a poem about rain'],
].map(([thread = '', title = '']) => ({
  thread,
  title,
  model: null,
  entries: 1,
  metadata: {},
  created: null,
  written: null,
  marks: [],
  oneOff: false,
  relayed: false,
}))

test.each([
  ['gardne', ['garden', 'garage']],
  ['GARDEN', ['garden']],
  ['harbor', ['harbour']],
  ['7a3f', ['0198c0de-7a3f']],
  ['poem', ['0198c0de-7a3f']],
  ['0198c0df', ['0198c0de-7a3f']],
  ['zzzzzzzzzz', []],
])('%s is near to %j', (named, found) => {
  expect(
    nearest(named, threads)
      .map(({ thread }) => thread)
      .slice(0, Math.max(1, found.length)),
  ).toEqual(found)
})

test('a name without end takes a moment', () => {
  expect(nearest('x'.repeat(1_000_000), threads)).toEqual([])
})
