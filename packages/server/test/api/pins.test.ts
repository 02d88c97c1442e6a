import { expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'

test('a message is pinned and unpinned, is marked, and is in every later prompt', async () => {
  const { operator } = await nativeServer({ answer: `A tower. ${'It has stairs. '.repeat(40)}` })
  await operator.ask('POST', '/threads', { thread: 'prague', setup: { window: 1024, reserve: 64 } })
  const say = (message: string): Promise<unknown> =>
    operator.stream('POST', '/threads/prague/turns', { body: { message } })
  const marked = async (): Promise<string[]> => {
    const { entries } = (await operator.ask('GET', '/threads/prague/entries?hidden=1')).body as {
      entries: readonly { readonly text: string; readonly pinned?: true }[]
    }
    return entries.filter(({ pinned }) => pinned).map(({ text }) => text)
  }
  const isSent = async (): Promise<boolean> =>
    JSON.stringify((await operator.ask('GET', '/threads/prague/dump')).body['messages']).includes('wheelchair')
  await say('What should we see?')
  const fact = 'Lena sits in a wheelchair.'
  await say(fact)
  for (let day = 1; day <= 12; day++) await say(`And on day ${day}?`)
  expect(await isSent()).toBe(false)

  const { entries } = (await operator.ask('GET', '/threads/prague/entries')).body as {
    entries: readonly { readonly id: string; readonly text: string }[]
  }
  const { id } = entries.find(({ text }) => text === fact)!
  const pin = `/threads/prague/pins/${id}`
  const pinned = { thread: 'prague', entry: id, pinned: true }
  expect(await operator.ask('PUT', pin)).toMatchObject({ status: 200, body: { ...pinned, changed: true } })
  expect(await operator.ask('PUT', pin)).toMatchObject({ status: 200, body: { ...pinned, changed: false } })
  expect(await marked()).toEqual([fact])
  await say('And on the last day?')
  expect(await isSent()).toBe(true)
  expect(await operator.ask('DELETE', pin)).toMatchObject({ status: 200, body: { pinned: false, changed: true } })
  expect(await marked()).toEqual([])
  await say('And after that?')
  expect(await isSent()).toBe(false)

  await operator.ask('POST', '/threads/prague/erase', { entries: [id] })
  expect(await operator.ask('PUT', pin)).toMatchObject({ status: 409, body: { error: { code: 'not_pinnable' } } })
  const unknown = { status: 404, body: { error: { code: 'unknown_entry' } } }
  expect(await operator.ask('PUT', '/threads/prague/pins/nothing')).toMatchObject(unknown)
  expect(await operator.ask('DELETE', '/threads/prague/pins/nothing')).toMatchObject(unknown)
})
