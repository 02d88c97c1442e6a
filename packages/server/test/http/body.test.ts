import { request as ask } from 'node:http'
import { expect, test } from 'vitest'
import { readBody, type Body } from '../../src/http/body.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { openSocket, plainUpstream } from '../../../../tests/support/server/raw.ts'

/** Sends pieces to a server that reads them with a cap of ten bytes, and tells what it made of them. */
async function sent(pieces: readonly string[], headers: Record<string, string> = {}): Promise<unknown> {
  const { url } = await plainUpstream((request, response) => {
    void readBody(request, { limit: 10 }).then((body) =>
      response.end(
        JSON.stringify('bytes' in body ? { text: body.bytes.toString() } : 'refusal' in body ? body.refusal : body),
      ),
    )
  })
  return new Promise((resolve, reject) => {
    const outgoing = ask(url, { method: 'POST', headers }, (response) =>
      response.setEncoding('utf8').on('data', (text) => resolve(JSON.parse(text))),
    )
    outgoing.on('error', reject)
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
  })
}

test.each([
  [[], ''],
  [['0123456789'], '0123456789'],
  [['01', '', '2345', '6'], '0123456'],
  [['ä', 'ö'], 'äö'],
])('%j is read whole', async (pieces, text) => {
  expect(await sent(pieces)).toEqual({ text })
})

test.each([[['0123456789', '0']], [['0123456789a']]])('%j is too long', async (pieces) => {
  expect(await sent(pieces)).toMatchObject({
    status: 413,
    code: 'body_too_long',
    fix: expect.stringContaining('MINUTEBOOK_BODY_LIMIT'),
  })
})

test('a length that is said to be too long is not waited for', async () => {
  expect(await sent(['01234567890'], { 'content-length': '11' })).toMatchObject({ status: 413 })
})

test('a client that goes away while it sends leaves nothing', async () => {
  const read = deferred<Body>()
  const { url } = await plainUpstream((request) => {
    void readBody(request, { limit: 10 }).then(read.resolve)
    request.once('data', () => socket.destroy())
  })
  const socket = openSocket(url)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc')
  expect(await read.promise).toEqual({ gone: true })
})
