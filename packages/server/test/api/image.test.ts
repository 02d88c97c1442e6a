import { expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { memoryStore, type Message } from 'minutebook'
import { entryImage, shownImage } from '../../src/archive/image.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'

const base64 = (bytes: readonly (number | string)[]): string =>
  Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))).toString(
    'base64',
  )
const png = base64([0x89, 'PNG\r\n', 0x1a, '\n', 'the rest'])
const part = (url: string): object => ({ type: 'image_url', image_url: { url } })

test.each([
  ['a PNG of Ollama', png, 'image/png'],
  ['a PNG that calls itself SVG', `data:image/svg+xml;base64,${png}`, 'image/png'],
  ['a part of OpenAI', JSON.stringify(part(`data:image/png;base64,${png}`)), 'image/png'],
  ['an address as a text', JSON.stringify({ type: 'input_image', image_url: `data:x;base64,${png}` }), 'image/png'],
  ['a part of Anthropic', JSON.stringify({ type: 'image', source: { type: 'base64', data: png } }), 'image/png'],
  ['a JPEG', base64([0xff, 0xd8, 0xff, 0xe0, 'JFIF']), 'image/jpeg'],
  ['a GIF', base64(['GIF89a', 'rest']), 'image/gif'],
  ['a WebP', base64(['RIFF', 1, 2, 3, 4, 'WEBPVP8 ']), 'image/webp'],
])('%s is shown', (_, image, type) => {
  const shown = shownImage(image)
  expect(shown?.type).toBe(type)
  expect(shown!.bytes.length).toBeGreaterThan(5)
})

test.each([
  ['an SVG', base64(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'])],
  ['an SVG that calls itself PNG', `data:image/png;base64,${base64(['<svg/>'])}`],
  ['a page', base64(['<!doctype html><script>alert(1)</script>'])],
  ['an address', JSON.stringify(part('https://elsewhere.example/a.png'))],
  ['a file of this machine', JSON.stringify(part('file:///etc/passwd'))],
  ['a sound in the same box', base64(['RIFF', 1, 2, 3, 4, 'WAVEfmt '])],
  ['what is too large', png + 'A'.repeat(12_000_000)],
  ['nothing', ''],
  ['a part without an image', '{"image_url":{"url":7}}'],
  ['a text that begins like a part', '{bad'],
])('%s is not', (_, image) => {
  expect(shownImage(image)).toBeUndefined()
})

test('the bytes arrive as a bitmap that no browser takes for anything else', async () => {
  const { operator, running } = await nativeServer({ answer: 'Ferns.' })
  const { store } = running.services.stores.of('default')
  const look = entryOf({ role: 'user', content: 'Look.', images: [png, base64(['<svg/>']), '{bad'] }, undefined, {})
  await store.append('seen', [look])
  const at = `${running.url}/minutebook/v1/threads/seen/entries/${look.id}/images`
  const ask = (image: string): Promise<Response> =>
    fetch(`${at}/${image}`, { headers: { authorization: `Bearer ${running.token}` } })
  const answer = await ask('0')
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="image.png"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("sandbox; default-src 'none'") as unknown,
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(png)
  for (const image of ['1', '2', '3']) expect((await ask(image)).status).toBe(404)
  for (const image of ['-1', '0.5', 'first']) expect((await ask(image)).status).toBe(400)
  expect(await operator.ask('GET', `/threads/seen/entries/unknown/images/0`)).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_entry' } },
  })
})

test('the image of an entry that people do not see is for admins alone', async () => {
  const store = memoryStore()
  const said = (message: Message, before?: Parameters<typeof entryOf>[1]): ReturnType<typeof entryOf> =>
    entryOf(message, before, {})
  const system = said({ role: 'system', content: 'Like this.', images: [png] })
  const question = said({ role: 'user', content: 'So?' }, system)
  const call = { id: 'one', type: 'function', function: { name: 'note_to_self', arguments: '{"note":"Secret."}' } }
  const noting = said({ role: 'assistant', content: '', tool_calls: [call] }, question)
  const result = said({ role: 'tool', tool_call_id: 'one', content: 'Noted.', images: [png] } as Message, noting)
  await store.append('hidden', [system, question, noting, result])
  for (const { id } of [system, result]) {
    const choice = { thread: 'hidden', entry: id, image: 0 }
    await expect(entryImage(store, { ...choice, hidden: false })).rejects.toMatchObject({ code: 'unknown_entry' })
    expect((await entryImage(store, { ...choice, hidden: true })).type).toBe('image/png')
  }
})
