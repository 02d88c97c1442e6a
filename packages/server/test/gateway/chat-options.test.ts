import { user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { ask } from './support/wire.ts'

const system = (content: string): Message => ({ role: 'system', content })
const turns = 40

/** The system messages that a client's history opens with, turn by turn. */
const openings: readonly (readonly [name: string, opening: (turn: number) => readonly Message[]])[] = [
  ['the same', () => [system('You are a lighthouse keeper.')]],
  ['with the time in it', (turn) => [system(`You are a lighthouse keeper. It is ${turn} o'clock.`)]],
  [
    'one that stays and one with the time',
    (turn) => [system('You are a lighthouse keeper.'), system(`It is ${turn} o'clock.`)],
  ],
  ['one of two, by turns', (turn) => [system(turn % 4 < 2 ? 'Be brief.' : 'Be thorough.')]],
  ['one and then two', (turn) => [system('You are a lighthouse keeper.'), ...(turn > 20 ? [system('Be brief.')] : [])]],
]

describe.each(['ollama', 'openai'] as const)(
  'a prompt of ours for %s opens with the system messages of the request, and no others',
  (wire) => {
    test.each(openings)('%s', async (_, opening) => {
      const { upstream, running } = await gatewayBefore(
        { answer: 'The lamp is lit, and the ships are safe tonight.' },
        { models: { strict: { window: 512, reserve: 50 } } },
      )
      const history: Message[] = []
      for (let turn = 0; turn < turns; turn++) {
        history.push(user(`Question ${turn}: what of the lamp, the sea and the ships tonight?`))
        const { error } = await ask(wire, running.url, {
          messages: [...opening(turn), ...history],
          stream: turn % 2 === 0,
        })
        expect(error).toBeUndefined()
        const texts = upstream.requests
          .at(-1)!
          .messages.filter(({ role }) => role === 'system')
          .map(({ content }) => String(content))
          .join('\n')
        for (const { content } of opening(turn)) expect(texts).toContain(content)
        const others = Array.from({ length: turns }, (_each, other) => opening(other))
          .flat()
          .filter(({ content }) => !opening(turn).some((each) => each.content === content))
        expect(others.filter(({ content }) => texts.includes(String(content))).map(({ content }) => content)).toEqual(
          [],
        )
        history.push({ role: 'assistant', content: 'The lamp is lit, and the ships are safe tonight.' })
      }
      const { store, book } = running.services.stores.of('default')
      const [thread = '', ...more] = (await store.list()).threads
        .map(({ thread: id }) => id)
        .filter((id) => !id.startsWith('minutebook:'))
      expect(more).toEqual([])
      expect((await store.read(thread)).filter(({ kind }) => kind === 'user')).toHaveLength(turns)
      const receipts = await book.thread(thread).receipts()
      expect(receipts.map(({ mode }) => mode)).toContain('rewritten')
      const sent = upstream.requests.filter(({ tokens }) => tokens > 0)
      for (const at of [0, 10, 25, turns - 1])
        expect((await book.thread(thread).dump({ receipt: receipts[at]!.id })).messages).toEqual(sent[at]!.messages)
      expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
    })
  },
)
