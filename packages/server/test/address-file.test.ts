import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAddress, removeAddress, writeAddress, type Address } from '../src/address-file.ts'
import { temporaryFolder } from '../../../tests/support/server/gateway.ts'

const [one, two, three] = ['one', 'two', 'three'].map((token, index): Address => ({
  url: `http://127.0.0.1:${index + 1}`,
  token,
  pid: index + 1,
})) as [Address, Address, Address]

test('of several servers that share a folder the newest is found, and when it ends another, whichever ends first', () => {
  const data = temporaryFolder()
  for (const address of [one, two, three]) writeAddress(data, address, { isShared: true })
  expect(readAddress(data)).toEqual(three)
  removeAddress(data, two.token)
  expect(readAddress(data)).toEqual(three)
  removeAddress(data, three.token)
  expect(readAddress(data)).toEqual(one)
  removeAddress(data, one.token)
  expect(readdirSync(data)).toEqual([])
})

test('a server that has its folder for itself takes the place of one that is gone', () => {
  const data = temporaryFolder()
  for (const address of [one, two]) writeAddress(data, address)
  removeAddress(data, one.token)
  expect(readAddress(data)).toEqual(two)
  removeAddress(data, two.token)
  expect(readdirSync(data)).toEqual([])
})
