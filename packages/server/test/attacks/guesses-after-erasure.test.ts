// Finding 19: after a thread was erased, hashes of the directory confirm a guess of what was said in it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Message } from 'minutebook'
import { storeFile } from '../../src/index.ts'
import { fingerprintsOf, pairHash, questionOf } from '../../src/matching/fingerprint.ts'
import { linesUnder } from '../../src/matching/directory.ts'
import { gatewayBefore, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

const secret: Message = { role: 'user', content: 'My code is 4711.' }
const answer: Message = { role: 'assistant', content: 'Noted.' }

test('no line of an erased thread is left to hold a guess against', async () => {
  const data = temporaryFolder()
  const { running } = await gatewayBefore({ answer: 'Noted.' }, { data })
  const response = await fetch(`${running.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'strict', stream: false, messages: [secret] }),
  })
  await response.text()
  const { store } = running.services.stores.of('default')
  const guesses = [questionOf(fingerprintsOf([secret]), undefined), pairHash(fingerprintsOf([secret, answer]), 1)]
  const known = async (): Promise<number[]> =>
    Promise.all(guesses.map(async (hash) => (await linesUnder({ store, owner: '' }, hash)).length))
  const bytes = (): string => readFileSync(storeFile(data, 'default'), 'latin1')
  expect(await known()).toEqual([1, 1])

  const thread = response.headers.get('minutebook-thread')!
  expect((await native(running.url, running.token).ask('POST', `/threads/${thread}/erase`, {})).body).toMatchObject({
    // Two lines of the directory, and the row of the call.
    records: 3,
  })
  expect(await known()).toEqual([0, 0])
  await running.close()
  for (const hash of guesses) expect(bytes()).not.toContain(hash.slice(0, 32))
})
