import { expect, test } from 'vitest'
import { isSameModel } from 'minutebook/wire'

test.each([
  ['a', 'a:latest', true],
  ['hf.co/b:c/a', 'hf.co/b:c/a:latest', true],
  ['a:1', 'a:latest', false],
  ['a', 'b', false],
])('%s and %s: %s', (one, other, same) => {
  expect(isSameModel(one, other)).toBe(same)
})
