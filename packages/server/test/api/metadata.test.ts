import { describe, expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'

describe('metadata over HTTP', () => {
  test('is set with a thread, changed, and found', async () => {
    const { operator } = await nativeServer({ answer: 'Ferns.' })
    for (const [thread, owner] of [
      ['a', 'ann'],
      ['b', 'ben'],
      ['c', 'ann'],
    ])
      await operator.ask('POST', '/threads', { thread, metadata: { owner, project: 'x:y' } })
    const listed = async (query: string): Promise<unknown> =>
      ((await operator.ask('GET', `/threads${query}`)).body['threads'] as { thread: string }[]).map(
        ({ thread }) => thread,
      )
    expect(await listed('?metadata=owner:ann')).toEqual(['c', 'a'])
    expect(await listed('?metadata=owner:ann&limit=1')).toEqual(['c'])
    expect(await listed('?metadata=owner:ann&metadata=project:x:y')).toEqual(['c', 'a'])
    expect(await listed('?metadata=owner:ann&metadata=project:z')).toEqual([])
    expect(await operator.ask('PATCH', '/threads/a/metadata', { owner: 'ben', project: null })).toMatchObject({
      status: 200,
      body: { thread: 'a', metadata: { owner: 'ben' } },
    })
    expect(await listed('?metadata=owner:ann')).toEqual(['c'])
    expect((await operator.ask('GET', '/threads/a')).body['metadata']).toEqual({ owner: 'ben' })
  })

  test('has the title of the thread, or else the first question is its title', async () => {
    const { operator } = await nativeServer({ answer: 'Ferns.' })
    const title = async (): Promise<unknown> => (await operator.ask('GET', '/threads/garden')).body['title']
    await operator.ask('POST', '/threads', { thread: 'garden' })
    expect(await title()).toBeNull()
    await operator.stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
    expect(await title()).toBe('What grows in the shade?')
    await operator.ask('PATCH', '/threads/garden/metadata', { title: 'Garden' })
    expect(await title()).toBe('Garden')
  })

  test('goes with a fork, and with an export', async () => {
    const { operator } = await nativeServer({ answer: 'Ferns.' })
    await operator.ask('POST', '/threads', { thread: 'garden', metadata: { owner: 'ann' } })
    expect((await operator.ask('POST', '/threads/garden/fork', { as: 'copy' })).body).toMatchObject({
      metadata: { owner: 'ann' },
    })
    const lines = (await operator.ask('GET', '/threads/garden/export')).body['text'] as string
    const type = { 'content-type': 'application/x-ndjson' }
    expect((await operator.ask('POST', '/threads/restored/import', lines, type)).body).toMatchObject({
      metadata: { owner: 'ann' },
    })
  })

  test.each<[string, string, string, unknown, number, string]>([
    ['17 pairs', 'POST', '/threads', { metadata: many(17) }, 400, 'invalid_metadata'],
    ['a long value', 'PATCH', '/threads/garden/metadata', { k: 'x'.repeat(513) }, 400, 'invalid_metadata'],
    ['17 pairs in all', 'PATCH', '/threads/garden/metadata', many(16), 400, 'invalid_metadata'],
    ['a number', 'PATCH', '/threads/garden/metadata', { k: 1 }, 400, 'invalid_request'],
    ['a list', 'PATCH', '/threads/garden/metadata', [], 400, 'invalid_request'],
    ['a thread that is not there', 'PATCH', '/threads/nowhere/metadata', { k: 'x' }, 404, 'unknown_thread'],
    ['an internal thread', 'PATCH', '/threads/~bWludXRlYm9vazp4/metadata', { k: 'x' }, 404, 'unknown_thread'],
    ['a query without a colon', 'GET', '/threads?metadata=owner', undefined, 400, 'invalid_request'],
    ['a query without a key', 'GET', '/threads?metadata=:ann', undefined, 400, 'invalid_request'],
    ['a removal of what is not there', 'DELETE', '/threads/nowhere', undefined, 404, 'unknown_thread'],
    ['a removal of an internal thread', 'DELETE', '/threads/~bWludXRlYm9vazp4', undefined, 404, 'unknown_thread'],
  ])('is refused: %s', async (_, method, path, body, status, code) => {
    const { operator } = await nativeServer({ answer: 'Ferns.' })
    await operator.ask('POST', '/threads', { thread: 'garden', metadata: { owner: 'ann' } })
    expect(await operator.ask(method, path, body)).toMatchObject({ status, body: { error: { code } } })
    expect((await operator.ask('GET', '/threads/garden')).body['metadata']).toEqual({ owner: 'ann' })
  })
})

describe('removal over HTTP', () => {
  test('takes the thread out of lists and searches, and its name can be used again', async () => {
    const { operator } = await nativeServer({ answer: 'Ferns.' })
    await operator.ask('POST', '/threads', { thread: 'garden', metadata: { owner: 'ann' } })
    await operator.stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
    expect(await operator.ask('DELETE', '/threads/garden')).toMatchObject({
      status: 200,
      body: { thread: 'garden', records: 3, remains: expect.arrayContaining([expect.stringMatching(/name/)]) as [] },
    })
    expect((await operator.ask('GET', '/threads/garden')).status).toBe(404)
    expect((await operator.ask('GET', '/threads')).body['threads']).toEqual([])
    expect((await operator.ask('GET', '/search?query=shade')).body['found']).toEqual([])
    expect(await operator.ask('POST', '/threads', { thread: 'garden' })).toMatchObject({
      status: 201,
      body: { metadata: {}, entries: 1 },
    })
  })
})

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']))
}
