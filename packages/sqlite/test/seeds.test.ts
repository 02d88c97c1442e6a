import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { defineState, defineTool, openBook, type Thread } from 'minutebook'
import { traits } from 'minutebook/store'
import { currentThread, threadContext } from 'minutebook/context'
import { ollamaModel } from 'minutebook/ollama'
import { openAiModel } from 'minutebook/openai'
import { strictUpstream, type StrictUpstream } from '@minutebook/testing/server'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { tick } from '../../../tests/support/tick.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

/**
 * The documents that the project came from, end to end: official clients, a strict server, a file that is closed and
 * opened again.
 */
const pathOf = temporaryFolder()
let files = 0
/** Of four requests each: ROUNDS=125 for a longer look. */
const rounds = Number(process.env['ROUNDS'] ?? 8)
const freshPath = (name: string): string => pathOf(`${++files}-${name}`)

const open: SqliteStore[] = []
afterEach(() => {
  for (const store of open.splice(0)) store.close()
})

function storeAt(name: string): SqliteStore {
  const store = sqliteStore(freshPath(name))
  open.push(store)
  return store
}

const models = [
  ['ollama', ({ url }: StrictUpstream) => ollamaModel(new Ollama({ host: url }), { model: 'any' })],
  [
    'openai',
    ({ url }: StrictUpstream) => openAiModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }), { model: 'any' }),
  ],
] as const

describe.each(models)('through %s', (_, modelOf) => {
  test('000: a role remembers its first step in its second', async () => {
    await using upstream = await strictUpstream({ answer: ['Seven.', 'You said 7.'], window: 4096 })
    const path = freshPath('roles.db')
    const speak = async (text: string): Promise<string> => {
      using store = sqliteStore(path)
      const role = openBook({ store, model: modelOf(upstream), window: 4096, system: 'You are the observer.' }).thread(
        'observer',
      )
      return (await role.send(text).done).text
    }
    await speak('I say 7.')
    expect(await speak('What number did I just say?')).toBe('You said 7.')
    expect(upstream.requests[1]?.messages.map(({ role, content }) => `${role}: ${String(content)}`)).toEqual([
      'system: You are the observer.',
      'user: I say 7.',
      'assistant: Seven.',
      'user: What number did I just say?',
    ])
    using store = sqliteStore(path)
    expect(
      (await store.read('observer')).filter(({ kind }) => traits[kind].chained).map(({ kind, text }) => [kind, text]),
    ).toEqual([
      ['system', 'You are the observer.'],
      ['user', 'I say 7.'],
      ['assistant', 'Seven.'],
      ['user', 'What number did I just say?'],
      ['assistant', 'You said 7.'],
    ])
  })

  test('002: a note is kept, is in every prompt that follows, across compactions, and is never shown', async () => {
    const filler = 'The page has a header, a footer and a long list of things to do about them. '.repeat(3)
    await using upstream = await strictUpstream({
      answer: ({ messages }) =>
        messages.length <= 2
          ? 'I added the footer. [NOTE TO SELF: first] [NOTE TO SELF: I added the canary footer.]'
          : `${filler}Done.`,
      window: 1024,
    })
    const thread = openBook({
      store: storeAt('notes.db'),
      model: modelOf(upstream),
      window: 1024,
      system: 'You edit a site.',
      notes: 'block',
    }).thread('site')
    const shown: string[] = []
    for (let turn = 0; turn < 24; turn++) {
      for await (const event of thread.send(turn === 0 ? 'Add a footer' : `Now change thing number ${turn}`))
        shown.push(JSON.stringify(event))
    }
    const entries = await thread.entries()
    const [first] = entries.filter(({ kind }) => kind === 'assistant')
    expect(
      entries.filter(({ parent, kind }) => parent === first?.id && kind === 'note').map(({ text }) => text),
    ).toEqual(['I added the canary footer.'])
    expect(first?.text).toBe('I added the footer.')
    expect(new Set((await thread.receipts()).map(({ epoch }) => epoch)).size).toBeGreaterThan(2)

    for (const { messages } of upstream.requests.slice(1)) {
      const noted = messages.filter(({ content }) => String(content).includes('canary footer'))
      expect(noted).toHaveLength(1)
      expect(String(noted[0]?.content)).toContain('RECENT NOTES TO SELF')
    }
    const early = (await thread.dump({ turn: 2 })).text
    expect(early.indexOf('--- ASSISTANT ---')).toBeLessThan(early.indexOf('--- NOTE TO SELF ---'))
    expect(early.indexOf('--- NOTE TO SELF ---')).toBeLessThan(early.lastIndexOf('--- USER ---'))
    expect((await thread.dump({ turn: 24 })).text).toMatch(/--- NOTE TO SELF ---\n[^]*canary footer/)
    expect([...shown, JSON.stringify(await thread.visible())].join()).not.toContain('canary')
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 24 })
  })

  test.each([
    ['one that is never closed', 'Fine. [NOTE TO SELF: x'],
    ['one in bold', 'Fine.\n\n**[Note to self: x]**'],
    ['one without brackets', 'Fine.\nNOTE TO SELF - x'],
    ['one in a code block', 'Fine.\n```\n[NOTE TO SELF: x]\n```'],
  ])('002: %s is taken, too', async (_name, answer) => {
    await using upstream = await strictUpstream({ answer, window: 4096, split: 3 })
    const thread = openBook({
      store: storeAt('notes.db'),
      model: modelOf(upstream),
      window: 4096,
      notes: 'block',
    }).thread('site')
    expect(await thread.send('Go').done).toMatchObject({ text: 'Fine.' })
    expect((await thread.entries()).find(({ kind }) => kind === 'note')?.text).toBe('x')
  })

  test.each([
    ['one in the middle', 'See [NOTE TO SELF: x] for how.', 'See [NOTE TO SELF: x] for how.'],
    ['one in code', 'Write:\n```\na\n[NOTE TO SELF: x]\n```', 'Write:\n```\na\n[NOTE TO SELF: x]\n```'],
    ['one in quotes', 'He wrote "[NOTE TO SELF: x]"', 'He wrote "[NOTE TO SELF: x]"'],
  ])('002: %s is left alone', async (_name, answer, visible) => {
    await using upstream = await strictUpstream({ answer, window: 4096, split: 3 })
    const thread = openBook({
      store: storeAt('notes.db'),
      model: modelOf(upstream),
      window: 4096,
      notes: 'block',
    }).thread('site')
    expect(await thread.send('Go').done).toMatchObject({ text: visible })
    expect((await thread.entries()).some(({ kind }) => kind === 'note')).toBe(false)
  })

  test(`004: ${4 * rounds} interleaved requests of two users, twice as many over both clients: nobody sees the other’s state`, async () => {
    const hypothesis = defineState({
      name: 'hypothesis',
      tools: { generate_hypothesis: { schema: z.object({ owner: z.string(), round: z.number() }) } },
    })
    const leaks: string[] = []
    const tools = [
      defineTool({
        name: 'generate_hypothesis',
        parameters: { type: 'object' },
        run: async (input, context) => {
          const { owner } = input as { owner: string }
          await tick()
          const before = await context.state(hypothesis)
          if (currentThread().id !== owner || context.thread !== owner || (before && before.owner !== owner))
            leaks.push(owner)
          return { owner, round: (before?.round ?? 0) + 1 }
        },
      }),
    ]
    await using upstream = await strictUpstream({
      window: 100_000,
      answer: ({ messages }) => {
        const owner = String(messages.find(({ role }) => role === 'user')?.content)
        return messages.at(-1)?.role === 'tool'
          ? `Done for ${owner}.`
          : { calls: [{ name: 'generate_hypothesis', arguments: { owner } }] }
      },
    })
    const book = openBook({
      store: storeAt('two.db'),
      model: modelOf(upstream),
      window: 2048,
      tools,
      journal: false,
      threadContext,
    })
    const request = async (thread: Thread): Promise<void> => {
      const { text } = await thread.send(thread.id, { ifBusy: 'queue' }).done
      if (text !== `Done for ${thread.id}.` || (await thread.state(hypothesis))?.owner !== thread.id)
        leaks.push(thread.id)
    }
    const users = ['ann', 'bob'].map((name) => [book.thread(name), book.thread(name)])
    for (let round = 0; round < rounds; round++) await Promise.all(users.flat().map(request))
    expect(leaks).toEqual([])
    expect((await book.thread('ann').state(hypothesis))?.round).toBe(2 * rounds)
    expect((await book.thread('bob').state(hypothesis))?.round).toBe(2 * rounds)
  })
})
