import { expect, test } from 'vitest'
import { homePath } from '../src/terminal/text.ts'

test.each([
  ['/home/ann/.local/share/minutebook', '/home/ann', '~/.local/share/minutebook'],
  ['/home/anna/record', '/home/ann', '/home/anna/record'],
  ['/home/ann', '/home/ann', '/home/ann'],
  ['/data/record', '/', '/data/record'],
  ['/data/record', '', '/data/record'],
])('%s of somebody who lives in %s is %s', (path, home, shown) => {
  expect(homePath(path, home)).toBe(shown)
})
