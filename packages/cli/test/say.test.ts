import { openArchive } from '@minutebook/server'
import { memoryStore } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { plainUpstream } from '../../../tests/support/server/raw.ts'
import type { Conversation } from '../src/chat/conversation.ts'
import { say } from '../src/chat/say.ts'
import { testTerminal } from './support/terminal.ts'

test('what was kept of a stopped answer is known, also if the gateway records it late', async () => {
  const store = memoryStore()
  const question = entryOf({ role: 'user', content: 'Count.' })
  const leaving = new AbortController()
  const gateway = await plainUpstream((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'minutebook-thread': 'garden' })
    response.write('{"message":{"role":"assistant","content":"One, "},"done":false}\n')
  })
  const answer = entryOf({ role: 'assistant', content: 'One, ' }, question, { status: 'cancelled' })
  let looks = 0
  const archive = openArchive(store)
  const late = {
    ...archive,
    export: async function* (thread: string) {
      const recorded = [question, answer][looks++]
      if (recorded) await store.append(thread, [recorded])
      yield* archive.export(thread)
    },
  }
  const conversation: Conversation = {
    gateway: { url: gateway.url, protocol: 'ollama', key: '' },
    archive: late,
    models: ['strict'],
    model: 'strict',
    system: undefined,
    thread: undefined,
    turn: undefined,
    messages: [],
  }
  const { terminal } = testTerminal()
  const said = await say(conversation, 'Count.', leaving.signal, {
    text: () => leaving.abort(),
    note: () => undefined,
    terminal,
  })
  expect(said.outcome).toBe('stopped')
  expect(conversation.messages.map(({ content }) => content)).toEqual(['Count.', 'One, '])
  expect(looks).toBe(2)
})
