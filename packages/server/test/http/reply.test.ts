import { user } from '@minutebook/testing'
import { compile, type MinutebookError } from 'minutebook'
import { expect, test } from 'vitest'
import { parted } from '../../src/http/reply.ts'

test.each([
  ['There is no such thread; list them.', 'There is no such thread.', 'List them.'],
  [
    'Port 1 is taken. Stop what listens there; or set another.',
    'Port 1 is taken.',
    'Stop what listens there; or set another.',
  ],
  [
    'It needs 9 tokens (user #0: 5; tool #1: 4), of 8. Send less; or more.',
    'It needs 9 tokens (user #0: 5; tool #1: 4), of 8.',
    'Send less; or more.',
  ],
  ['"a; b. c" cannot be opened. Create its folder first.', '"a; b. c" cannot be opened.', 'Create its folder first.'],
  ['It broke.', 'It broke.', 'See the documentation of this error code.'],
])('%s', (text, message, fix) => {
  expect(parted(text)).toEqual({ message, fix })
})

test('what does not fit is told whole, and then what to do', () => {
  const refused = (): unknown => {
    try {
      return compile([user('ferns and hostas '.repeat(40)), user('Why? '.repeat(40))], { window: 32, reserve: 8 })
    } catch (error) {
      return error
    }
  }
  const error = refused()
  expect(error).toMatchObject({ code: 'window_overflow' })
  const { message, fix } = parted((error as MinutebookError).message)
  expect(message).toMatch(/^What must be sent does not fit: .*\(.*; .*\), and the window of 32 leaves .*\)\.$/)
  expect(fix).toMatch(/^A window of \d+ would do; else shorten/)
})
