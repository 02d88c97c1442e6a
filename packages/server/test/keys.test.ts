import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeys } from '../src/keys.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const configured = [
  { name: 'app', sha256: sha256('key one'), tenant: 'default', operator: false },
  { name: 'desk', sha256: sha256('key-two'), tenant: 'garden', operator: true },
]
const keys = createKeys(configured, 'token')
const none = createKeys([], 'token')

test.each([
  ['Bearer key one', 'app'],
  ['bearer key-two', 'desk'],
  ['BEARER  key-two ', 'desk'],
  ['Bearer token', 'operator'],
  ['Bearer key-three', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['key-two', undefined],
  ['Basic key-two', undefined],
  [`Bearer ${sha256('key-two')}`, undefined],
  ['Bearer key-two, Bearer key-two', undefined],
  ['', undefined],
  [undefined, undefined],
])('with keys, %j is %s', (authorization, name) => {
  expect(keys.identify(authorization)?.name).toBe(name)
})

test('a key says whose threads it reads, and whether it may read the record', () => {
  expect(keys.identify('Bearer key-two')).toEqual({ name: 'desk', tenant: 'garden', operator: true, shown: 'key' })
  expect(keys.identify('Bearer token')).toEqual({ name: 'operator', tenant: 'default', operator: true, shown: 'token' })
})

test('without keys everybody may speak, and only the token makes an operator', () => {
  expect(none.identify(undefined)).toEqual({ name: '', tenant: 'default', operator: false, shown: 'nothing' })
  expect(none.identify('Bearer anything')).toEqual({ name: '', tenant: 'default', operator: false, shown: 'nothing' })
  expect(none.identify('Bearer token')).toEqual({ name: '', tenant: 'default', operator: true, shown: 'token' })
})

test('no token is no token, even where it is empty', () => {
  expect(createKeys(configured, '').identify(undefined)).toBeUndefined()
})
