import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message } from 'minutebook'
import { assistant, call, ollamaAssistant, ollamaCall, ollamaPicture, picture, result, user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { paths, post } from './gateway/support/post.ts'
import { gateway, temporaryFolder } from '../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../tests/support/server/native.ts'

/** 2 MB, and nothing in it that could be made shorter by leaving out what repeats. */
const image = Array.from({ length: 250_000 }, (_, index) =>
  ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0'),
).join('')

/** Conversations of one thread that go apart, and say the image again and again. */
const conversations: Readonly<Record<'ollama' | 'openai', readonly (readonly Message[])[]>> = {
  ollama: branches(
    ollamaPicture('What is this?', image),
    [ollamaAssistant('', ollamaCall('look')), { role: 'tool', tool_name: 'look', content: 'seen', images: [image] }],
    (words) => ollamaPicture(words, image),
  ),
  openai: branches(
    picture('What is this?', image),
    [
      assistant(null, call('c', 'look')),
      {
        ...result('c', ''),
        content: [
          { type: 'text', text: 'seen' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
        ],
      } as Message,
    ],
    (words) => picture(words, image),
  ),
}

function branches(
  first: Message,
  looked: readonly Message[],
  say: (words: string) => Message,
): readonly (readonly Message[])[] {
  return [
    [first],
    [first, ...looked],
    ...['And now?', 'And then?', 'And at last?'].map((words) => [first, ...looked, user('Go on.'), say(words)]),
  ]
}

describe.each(['ollama', 'openai'] as const)('an image of 2 MB in branches and tool results of %s', (wire) => {
  test('is in the file once, and in every export, dump and fork', async () => {
    const data = temporaryFolder()
    const file = join(data, 'minutebook.db')
    const upstream = await strictUpstream({ answer: 'A lamp.' })
    onTestFinished(() => upstream.close())
    const settings = {
      data,
      upstreams: [{ url: upstream.url }],
      models: { strict: { window: 10_000_000, reserve: 100 } },
    }
    let running = await gateway(settings)
    for (const messages of conversations[wire]) {
      const { status, text } = await post(
        running.url,
        paths[wire],
        { model: 'strict', stream: false, messages },
        { 'minutebook-thread': 'album' },
      )
      expect([status, status === 200 ? '' : text.slice(0, 300)]).toEqual([200, ''])
    }
    await running.close()

    expect(held(file)).toEqual({ entries: 5, images: 1 })
    expect(statSync(file).size / image.length).toBeLessThan(1.25)

    running = await gateway(settings)
    const operator = native(running.url, running.token)
    expect((await operator.ask('GET', '/threads/album/verify')).body).toMatchObject({ ok: true, underivable: 0 })
    const lines = await exported(operator, 'album')
    expect(lines.split('\n').filter((line) => line.includes(image))).toHaveLength(5)
    expect(
      (await operator.ask('POST', '/threads/restored/import', lines, { 'content-type': 'application/x-ndjson' }))
        .status,
    ).toBe(201)
    expect(await exported(operator, 'restored')).toBe(lines)
    const { same, messages } = (await operator.ask('GET', '/threads/album/dump')).body as {
      same: boolean
      messages: Message[]
    }
    expect([same, JSON.stringify(messages).split(image).length - 1]).toEqual([true, 3])

    expect((await operator.ask('POST', '/threads/album/fork', { as: 'copy' })).status).toBe(201)
    const copy = await exported(operator, 'copy')
    expect(copy.split('\n').filter((line) => line.includes(image))).toHaveLength(3)
    expect((await operator.ask('POST', '/threads/album/erase', {})).body).toMatchObject({ images: 1 })
    expect((await exported(operator, 'album')).includes(image)).toBe(false)
    expect([await exported(operator, 'copy'), await exported(operator, 'restored')]).toEqual([copy, lines])
    for (const thread of ['copy', 'restored', 'album'])
      expect((await operator.ask('GET', `/threads/${thread}/verify`)).body).toMatchObject({ ok: true })
  })
})

async function exported(operator: Native, thread: string): Promise<string> {
  return (await operator.ask('GET', `/threads/${thread}/export`)).body['text'] as string
}

/** How many entries hold images that are kept by themselves, and how many those are. */
function held(file: string): { readonly entries: number; readonly images: number } {
  using database = new DatabaseSync(file, { readOnly: true })
  const count = (table: string): number =>
    Number(database.prepare(`select count(*) as count from ${table}`).get()?.['count'])
  return { entries: count('entry_image'), images: count('image') }
}
