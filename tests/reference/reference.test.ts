/** Are the pages of docs/reference what the sources say? If not: npm run docs:reference */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../support/workshop.ts'
import { nativeServer } from '../support/server/native.ts'
import { codesIn, codesInSources } from './error-codes.ts'
import { metricsInSources } from './metrics.ts'
import { referencePages } from './pages.ts'
import { compareNames } from './texts.ts'

const read = (name: string): string => readFileSync(join(root, 'docs/reference', name), 'utf8')

describe('docs/reference', () => {
  test.for(Object.entries(referencePages))('%s is what the sources say', async ([name, make]) => {
    // Two long texts that differ take long to show.
    const isSame = read(name) === (await make())
    expect(isSame, `Run npm run docs:reference, which writes docs/reference/${name} again.`).toBe(true)
  })

  test('openapi.json is what a server returns', async () => {
    const { running } = await nativeServer()
    const response = await fetch(`${running.url}/minutebook/v1/openapi.json`)
    expect(JSON.stringify(await response.json())).toBe(JSON.stringify(JSON.parse(read('openapi.json'))))
  })

  test('a name without a text is found, and a text without its name', () => {
    expect(() => compareNames('errors', ['busy', 'new_code'], ['busy'])).toThrow('nothing of new_code')
    expect(() => compareNames('errors', ['busy'], ['busy', 'old_code'])).toThrow('no old_code any more')
    expect(() => compareNames('errors', ['busy'], ['busy'])).not.toThrow()
  })
})

describe('error codes', () => {
  test('errors.md has each of them, with a cause and a fix', () => {
    const entries = read('errors.md').split('\n### ').slice(1)
    const names = entries.map((entry) => entry.split('\n', 1)[0] ?? '')
    expect(new Set(names)).toEqual(new Set(codesInSources().keys()))
    expect(entries.filter((entry) => !/^\w+\n\n\S.+\n\n\*\*Fix:\*\* \S.+\n\nIn `/.test(entry))).toEqual([])
    expect(entries.length).toBeGreaterThan(200)
  })

  test.each([
    [`throw new MinutebookError('one', 'a', 'b')`, ['one']],
    [`new MinutebookError(is ? 'one' : 'two', 'a', 'b')`, ['one', 'two']],
    ['new MinutebookError(`invalid_${name}`, a, b)', ['invalid_window', 'invalid_reserve']],
    [`const refusal = { status: 409, code: 'one', problem: 'a', fix: 'b' }`, ['one']],
    [`const stop: StopReason = { status: 'failed', code: 'one', reason: 'a' }`, ['one']],
    [`requestError('input', 'a', 'b', 'unsupported_value')`, ['unsupported_value']],
    [`const known = { 13: ['store_full', 'a', 'b'] }`, ['store_full']],
    [`const code = isOurs(error) ? error.code : 'model_failed'`, ['model_failed']],
    [`const place = { code: 'one' }; say('two')`, []],
  ])('are found in %s', (text, codes) => {
    expect(codesIn(text).map(({ code }) => code)).toEqual(codes)
  })

  test('one that is put together in a new way needs a line', () => {
    expect(() => codesIn('new MinutebookError(`odd_${name}`, a, b)')).toThrow('What can become of the code')
  })
})

test('metrics.md names metrics with all of their labels', () => {
  const names = metricsInSources().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(metricsInSources().find(({ name }) => name === 'minutebook_requests_total')?.labels).toEqual([
    'route',
    'status',
  ])
  expect(metricsInSources().find(({ name }) => name === 'minutebook_heap_bytes')?.labels).toEqual(['of'])
})
