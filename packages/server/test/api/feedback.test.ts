import { expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'

interface Shown {
  readonly entries: readonly { readonly id: string; readonly kind: string; readonly feedback?: readonly unknown[] }[]
}

test('a message is rated, found by rating, tag and words, and taken back', async () => {
  const { operator } = await nativeServer({ answer: 'Not often.' })
  for (const thread of ['garden', 'roof']) {
    await operator.ask('POST', '/threads', { thread })
    await operator.stream('POST', `/threads/${thread}/turns`, { body: { message: `How often in the ${thread}?` } })
  }
  const answerOf = async (thread: string): Promise<Shown['entries'][number]> => {
    const { entries } = (await operator.ask('GET', `/threads/${thread}/entries`)).body as unknown as Shown
    return entries.find(({ kind }) => kind === 'assistant')!
  }
  const { id } = await answerOf('garden')
  const roof = await answerOf('roof')
  const at = `/threads/garden/feedback/${id}`
  const said = { rating: 'down', comment: 'Ferns want water.', tags: ['Facts', 'ferns'] }
  const kept = { by: '', rating: 'down', comment: 'Ferns want water.', tags: ['facts', 'ferns'] }
  expect(await operator.ask('PUT', at, said)).toMatchObject({
    status: 200,
    body: { thread: 'garden', entry: id, ...kept, changed: true },
  })
  expect(await operator.ask('PUT', at, said)).toMatchObject({ status: 200, body: { changed: false } })
  await operator.ask('PUT', `/threads/roof/feedback/${roof.id}`, { rating: 'up', tags: ['facts'] })
  expect((await answerOf('garden')).feedback).toMatchObject([kept])

  const threads = async (query: string): Promise<unknown> =>
    ((await operator.ask('GET', `/threads?${query}`)).body as { threads?: { thread: string }[] }).threads?.map(
      ({ thread }) => thread,
    )
  expect(await threads('rating=down')).toEqual(['garden'])
  expect(await threads('tag=facts')).toEqual(['roof', 'garden'])
  expect(await threads('tag=facts&rating=up')).toEqual(['roof'])
  expect(await threads('tag=ferns&rating=up')).toEqual([])
  const first = (await operator.ask('GET', '/threads?tag=facts&limit=1')).body as { next?: string }
  expect(await threads(`tag=facts&limit=1&after=${encodeURIComponent(first.next!)}`)).toEqual(['garden'])
  const found = async (query: string): Promise<unknown> =>
    ((await operator.ask('GET', `/feedback?${query}`)).body as { found: { id: string }[] }).found.map((one) => one.id)
  expect(await found('query=ferns')).toEqual([id])
  expect(await found('')).toEqual([roof.id, id])
  expect((await operator.ask('GET', '/search?query=want%20water')).body['found']).toMatchObject([
    { thread: 'garden', about: id, by: '' },
  ])

  const lines = String((await operator.ask('GET', '/feedback/export?rating=down')).body['text'])
    .trim()
    .split('\n')
  const [line] = lines.map((each) => JSON.parse(each) as { readonly prompt: { readonly messages: readonly unknown[] } })
  expect([lines.length, line]).toMatchObject([
    1,
    { thread: 'garden', entry: id, kind: 'assistant', text: 'Not often.', prompt: { same: true }, feedback: kept },
  ])
  expect(line!.prompt.messages.at(-1)).toMatchObject({ role: 'user', content: 'How often in the garden?' })

  expect(await operator.ask('DELETE', at)).toMatchObject({ status: 200, body: { changed: true, tags: [] } })
  expect(await operator.ask('DELETE', at)).toMatchObject({ status: 200, body: { changed: false } })
  expect(await threads('rating=down')).toEqual([])
  expect((await operator.ask('GET', '/search?query=want%20water')).body['found']).toEqual([])
  expect((await answerOf('garden')).feedback).toBe(undefined)

  const code = (status: number, error: string): object => ({ status, body: { error: { code: error } } })
  expect(await operator.ask('PUT', at, { tags: ['two words'] })).toMatchObject(code(400, 'invalid_feedback'))
  expect(await operator.ask('PUT', at, { comment: 'a'.repeat(4097) })).toMatchObject(code(400, 'invalid_request'))
  expect(await operator.ask('GET', '/threads?tag=a%20b')).toMatchObject(code(400, 'invalid_feedback'))
  expect(await operator.ask('PUT', '/threads/garden/feedback/nothing', said)).toMatchObject(code(404, 'unknown_entry'))
  await operator.ask('POST', '/threads/garden/erase', { entries: [id] })
  expect(await operator.ask('PUT', at, said)).toMatchObject(code(409, 'not_ratable'))
})
