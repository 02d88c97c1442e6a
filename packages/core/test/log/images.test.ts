import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore, openBook, type Message } from 'minutebook'
import {
  checksum,
  entryOf,
  hasLongImages,
  imagesIn,
  imagesOnlyIn,
  payloadOf,
  putImagesBack,
  setImagesApart,
  sha256,
  storedFrom,
  withoutImages,
  type KeptEntry,
  type StoredEntry,
} from 'minutebook/store'
import { dot, ollamaPicture, picture, scriptedModel, user } from '@minutebook/testing'

const image = 'iVBORw0KGgo'.repeat(200)
const hash = sha256(image)

function keptOf(message: Message): KeptEntry {
  const entry = entryOf(message)
  return setImagesApart(payloadOf(entry), entry)
}

function readBack({ payload, images }: KeptEntry): StoredEntry {
  return putImagesBack({ payload, seq: 0, checksum: '' }, (asked) => images.get(asked))
}

describe('what is set apart', () => {
  test.each<[string, Message, number]>([
    ['an image of Ollama', ollamaPicture('look', image), 1],
    ['the address of an image of OpenAI', picture('look', image), 1],
    [
      'the data of a part within a part',
      { role: 'tool', content: [{ type: 'tool_result', content: [{ source: { data: image } }] }] },
      1,
    ],
    [
      'the same image in two places, once',
      { ...picture('look', image), images: [`data:image/png;base64,${image}`] },
      1,
    ],
    ['two images', ollamaPicture('look', image, `${image}.`), 2],
  ])('%s', (_, message, count) => {
    const kept = keptOf(message)
    expect(kept.images.size).toBe(count)
    expect(kept.payload).not.toContain(image)
    expect(payloadOf(readBack(kept))).toBe(payloadOf(entryOf(message)))
    expect(checksum(readBack(kept))).toBe(checksum(entryOf(message)))
  })

  test.each<[string, Message]>([
    ['a short image', ollamaPicture('look', dot)],
    ['a long text', user(image)],
    ['a part that has a text', { role: 'user', content: [{ type: 'text', text: image, data: image }, image] }],
    ['a field that nobody reads', { ...user('look'), pictures: [image] } as Message],
    [
      'arguments of a call',
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'look', arguments: { image } } }] },
    ],
    ['an image with half a character', ollamaPicture('look', `${image}\ud800`)],
    ['an image with a zero character', ollamaPicture('look', `${image}\u0000`)],
  ])('not %s', (_, message) => {
    const { payload, images } = keptOf(message)
    expect([payload, images.size]).toEqual([payloadOf(entryOf(message)), 0])
  })

  test('is written like this', () => {
    const { payload } = keptOf(ollamaPicture('look', 'short', image))
    const { id } = entryOf(ollamaPicture('look', 'short', image))
    expect(payload).toBe(
      `{"images":[[1,"${hash}"]],"entry":{"version":2,"id":"${id}","parent":null,"kind":"user","origin":"user","status":"complete","raw":{"role":"user","content":"look","images":["short",""]}}}`,
    )
  })

  test('any message comes back as it was', () => {
    const text = fc.constantFrom(
      image,
      `${image}.`,
      'short',
      '',
      '\ud800'.repeat(1500),
      '\u0000'.repeat(1500),
      'é'.repeat(1500),
    )
    const { part } = fc.letrec<{ part: unknown }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(null, 1, true),
        fc.array(tie('part'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('text', 'type', 'url', '__proto__', '1', 'images', 'entry'), tie('part'), {
          maxKeys: 4,
        }),
      ),
    }))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (content, images) => {
        const message = JSON.parse(JSON.stringify({ role: 'user', content, images })) as Message
        const kept = keptOf(message)
        expect(payloadOf(readBack(kept))).toBe(payloadOf(entryOf(message)))
        expect(imagesIn(kept.payload).toSorted()).toEqual([...kept.images.keys()].toSorted())
      }),
    )
  })

  test('takes little room and time, however long the names around it are', () => {
    let part: unknown = Array.from({ length: 500 }, (_, index) => `${index} ${image}`)
    for (let level = 0; level < 100; level++) part = { ['x'.repeat(1000)]: part }
    const message = { role: 'user', content: [part] }
    const kept = keptOf(message)
    expect(kept.images.size).toBe(500)
    expect(kept.payload.length).toBeLessThan(200_000)
    expect(payloadOf(readBack(kept))).toBe(payloadOf(entryOf(message)))
  })
})

describe('what is put back', () => {
  const line = (payload: string): { payload: string; seq: number; checksum: string } => ({
    payload,
    seq: 7,
    checksum: '',
  })
  const { payload, images } = keptOf(ollamaPicture('look', image))

  test.each<[string, string, ReadonlyMap<string, string>, string]>([
    ['is not there', payload, new Map(), 'an image of it is missing or was changed'],
    [
      'has another text in its place',
      payload.replace('"images":[""]', '"images":["x"]'),
      images,
      'an image of it is missing or was changed',
    ],
    ['has no place', payload.replace('"images":[""]', '"images":[]'), images, 'it has no place for one of its images'],
    ['is named by no list', payload.replace(/\[\[.*?\]\]/, '{}'), images, 'its list of images is malformed'],
    ['belongs to no entry', `{"images":[[0,"${hash}"]]}`, images, 'it has no place for one of its images'],
    ['stands in half a text', payload.slice(0, -10), images, 'it is not JSON'],
  ])('is an error if an image %s', (_, kept, found, what) => {
    expect(() => putImagesBack(line(kept), (asked) => found.get(asked))).toThrow(
      expect.objectContaining({
        code: 'corrupt_entry',
        details: { seq: 7 },
        message: `Entry 7 of the log cannot be read: ${what}. Restore it from a backup or an export; verify() lists all such entries.`,
      }) as Error,
    )
  })

  test('cannot be forgotten: without it the text is no entry', () => {
    expect(() => storedFrom({ payload, seq: 7, checksum: '' })).toThrow(
      expect.objectContaining({ code: 'corrupt_entry' }) as Error,
    )
  })

  test('can be left out by a store for its own use', () => {
    expect(withoutImages(line(payload)).images).toEqual([''])
    expect(withoutImages(line(payloadOf(entryOf(user('said'))))).text).toBe('said')
  })
})

test('images of some payloads and of no others are found', () => {
  const [both, one, none] = [
    keptOf(ollamaPicture('both', image, `${image}.`)),
    keptOf(ollamaPicture('one', image)),
    keptOf(user('none')),
  ].map(({ payload }) => payload) as [string, string, string]
  expect(imagesOnlyIn([both, none], [one, none])).toEqual([sha256(`${image}.`)])
  expect(imagesOnlyIn([both, one], [])).toEqual([hash, sha256(`${image}.`)])
  expect([imagesOnlyIn([none], [both]), imagesIn('{"images":')]).toEqual([[], []])
  expect([hasLongImages(entryOf(user(image))), hasLongImages(entryOf(ollamaPicture('look', image)))]).toEqual([
    false,
    true,
  ])
})

test('export, import, fork and dump hold the image, and a fork outlives the thread that it was taken from', async () => {
  const store = memoryStore()
  const book = openBook({ store, model: scriptedModel(['A lamp.', 'A lamp.']), window: 100_000 })
  const thread = book.thread('t')
  for (const words of ['What is this?', 'And this?'])
    await thread.send({ role: 'user', content: words, images: [image] } as Message).done
  const exportOf = async (name: string): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of book.thread(name).export()) lines.push(line)
    return lines
  }
  const lines = await exportOf('t')
  expect(lines.filter((line) => line.includes(image))).toHaveLength(2)
  await book.restore('restored', lines)
  expect(await exportOf('restored')).toEqual(lines)
  const { messages, same } = await thread.dump({ turn: 2 })
  expect([same, JSON.stringify(messages).split(image).length - 1]).toEqual([true, 2])

  await thread.fork({ as: 'fork' })
  expect((await thread.erase()).images).toBe(1)
  expect((await store.read('fork')).filter(({ images }) => images.includes(image))).toHaveLength(2)
  expect(await book.thread('fork').verify()).toMatchObject({ ok: true })
  expect(await exportOf('restored')).toEqual(lines)
})
