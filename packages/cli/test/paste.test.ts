import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../../tests/support/runs.ts'
import { createPasteReader, unpasted } from '../src/chat/paste.ts'

const begin = '\u001b[200~'
const end = '\u001b[201~'

async function read(pieces: readonly (string | Buffer)[]): Promise<string> {
  const reader = createPasteReader()
  for (const piece of pieces) reader.write(piece)
  reader.end()
  return (await reader.setEncoding('utf8').toArray()).join('')
}

test('what is typed goes through as it is', async () => {
  expect(await read(['hello\r', '\u001b', '[A', '\u0003'])).toBe('hello\r\u001b[A\u0003')
})

test('a paste is one line, until Enter is pressed', async () => {
  const line = await read(['say ', `${begin}one\ntwo\r\nthree\r`, `four${end}`, '!\r'])
  expect(line).toBe('say one⏎two⏎three⏎four!\r')
  expect(unpasted(line)).toBe('say one\ntwo\nthree\nfour!\r')
})

test('however the bytes of a paste are cut', async () => {
  const text = 'Gärten\n日本\n🌱 \u001b[20 end'
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }), async (cuts) => {
      const bytes = Buffer.from(`${text}${end}\r`)
      const pieces: Buffer[] = []
      let from = 0
      for (const cut of cuts) pieces.push(bytes.subarray(from, (from += cut)))
      pieces.push(bytes.subarray(from))
      expect(unpasted(await read([begin, ...pieces]))).toBe(`${text}\r`)
    }),
    { numRuns: cases('few') },
  )
})
