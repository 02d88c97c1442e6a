import { assistant, scriptedModel, system, user } from '@minutebook/testing'
import { memoryStore, openBook, type MinutebookError, type Model, type TokenCounter } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import { gathered, recorded } from '../../../../tests/support/server/recorded.ts'

const words: TokenCounter = { name: 'my words', count: (text) => text.split(' ').length, overhead: 2 }

function never(): never {
  throw new Error('Nobody calls this model.')
}

const plain = { marks: [], oneOff: false, relayed: false }

describe('threads', () => {
  test('come newest first, each with its first question, model and time', async () => {
    const { store } = await recorded({
      garden: ['What grows\n in the   shade?', 'And in the sun?'],
      harbour: ['When is high tide?'],
    })
    const { threads } = await openArchive(store).threads()
    const times = threads.flatMap(({ created, written }) => [written, created])
    expect(times).toEqual(times.toSorted((one, other) => (String(one) < String(other) ? 1 : -1)))
    expect(new Set(times).size).toBe(4)
    expect({ threads }).toEqual({
      threads: [
        {
          thread: 'harbour',
          title: 'When is high tide?',
          model: 'strict',
          entries: 4,
          metadata: {},
          created: expect.any(String) as string,
          written: expect.any(String) as string,
          ...plain,
        },
        {
          thread: 'garden',
          title: 'What grows in the shade?',
          model: 'strict',
          entries: 7,
          metadata: {},
          created: expect.any(String) as string,
          written: expect.any(String) as string,
          ...plain,
        },
      ],
    })
  })

  test('have the model of their newest call, also if its settings are older than others', async () => {
    const { store, book } = await recorded({ garden: ['What grows?'] })
    const other = scriptedModel(['in the sun'], { model: 'other', wire: 'ollama' })
    const again = scriptedModel(['in the shade'], { model: 'strict', wire: 'ollama' })
    const modelNow = async (): Promise<unknown> => (await openArchive(store).threads()).threads[0]?.model
    await book.thread('garden', { model: other }).send('And in the sun?').done
    expect(await modelNow()).toBe('other')
    await book.thread('garden', { model: again }).send('And in the shade?').done
    const settings = (await store.read('garden')).filter(({ kind }) => kind === 'settings')
    expect([await modelNow(), settings.length]).toEqual(['strict', 2])
  })

  test('come page by page, each once, and without those of the gateway itself', async () => {
    const store = memoryStore()
    for (let number = 0; number < 450; number++) {
      const thread = number % 3 === 0 ? `minutebook:lines:${number}` : `thread ${number}`
      await store.append(thread, [entryOf({ role: 'user', content: `question ${number}` })])
    }
    const desk = openArchive(store)
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await desk.threads({ limit: 7, after })
      seen.push(...page.threads.map(({ thread }) => thread))
      after = page.next
    } while (after !== undefined)
    expect(seen).toEqual(
      Array.from({ length: 450 }, (_, index) => 449 - index)
        .filter((number) => number % 3 !== 0)
        .map((number) => `thread ${number}`),
    )
  })

  test.each([{ limit: 0 }, { limit: 1.5 }, { limit: Number.NaN }, { limit: 1001 }, { after: 'elsewhere' }])(
    'are refused as %o',
    async (page) => {
      await expect(openArchive(memoryStore()).threads(page)).rejects.toMatchObject({ code: /^invalid_/ })
    },
  )
})

describe('a thread', () => {
  test('is shown with its turns numbered, and tells where another branch left', async () => {
    const { store, book } = await recorded({ garden: ['one', 'two'] }, ['first', 'second', 'third'])
    const garden = book.thread('garden')
    const [first] = await garden.visible()
    await garden.send('two, but other', { after: (await garden.visible())[1]!.id }).done
    const shown = await openArchive(store).show('garden')
    expect(shown.branches).toMatchObject([
      { from: null, text: 'two, but other' },
      { from: shown.entries[1]?.id, text: 'two' },
    ])
    expect(shown.head).toBe(shown.branches[0]?.head)
    expect(shown.entries.map(({ kind, text, turn, elsewhere }) => [kind, text, turn, elsewhere?.length])).toEqual([
      ['user', 'one', 1, undefined],
      ['assistant', 'first', undefined, undefined],
      ['user', 'two, but other', 2, 1],
      ['assistant', 'third', undefined, undefined],
    ])
    const [, other] = shown.branches
    const older = await openArchive(store).show('garden', { head: other?.head })
    expect(older.entries.map(({ text }) => text)).toEqual(['one', 'first', 'two', 'second'])
    expect(older.entries[2]?.elsewhere).toEqual([shown.head])
    expect(first?.id).toBe(shown.entries[0]?.id)
  })

  test('tells of another way once, by its newest branch, and where that parts again when it is shown', async () => {
    const { store, book } = await recorded({ garden: ['one', 'two'] }, ['first', 'second', 'third', 'fourth'])
    const garden = book.thread('garden')
    await garden.retry().done
    const retried = (await openArchive(store).show('garden')).head
    await garden.send('two, but other', { after: (await garden.visible())[1]!.id }).done
    const shown = await openArchive(store).show('garden')
    expect(shown.branches).toHaveLength(3)
    expect(shown.entries.map(({ elsewhere }) => elsewhere)).toEqual([undefined, undefined, [retried], undefined])
    const other = await openArchive(store).show('garden', { head: retried })
    expect(other.entries.map(({ elsewhere }) => elsewhere?.length)).toEqual([undefined, undefined, 1, 1])
  })

  test('never shows a note', async () => {
    const { store } = await recorded({ garden: ['one'] })
    const [newest] = await store.read('garden', { last: 1 })
    await store.append('garden', [
      entryOf({ role: 'system', content: 'canary' }, newest!, { kind: 'note', origin: 'model' }),
    ])
    expect(JSON.stringify(await openArchive(store).show('garden'))).not.toContain('canary')
  })

  test('that was never written to is unknown, whatever is asked of it', async () => {
    const desk = openArchive(memoryStore())
    const asked = [
      desk.show('x'),
      desk.receipts('x'),
      desk.dump('x'),
      desk.explain('x'),
      desk.verify('x'),
      gathered(desk.export('x')),
    ]
    await Promise.all(asked.map((answer) => expect(answer).rejects.toMatchObject({ code: 'unknown_thread' })))
  })
})

describe('a dump', () => {
  test('is of the last call unless told, of a turn by number, or of a receipt', async () => {
    const { store } = await recorded({ garden: ['one', 'two'] })
    const desk = openArchive(store)
    const last = await desk.dump('garden')
    expect(last).toMatchObject({ thread: 'garden', turn: 2, model: 'strict', same: true })
    expect(last.messages).toHaveLength(3)
    const first = await desk.dump('garden', { turn: 1 })
    expect(first.messages).toEqual([{ role: 'user', content: 'one' }])
    expect(first.hash).toBe(first.receipt.hash)
    expect(await desk.dump('garden', { receipt: first.receipt.id })).toEqual(first)
    expect((await desk.receipts('garden')).map(({ hash }) => hash)).toEqual([first.hash, last.hash])
  })

  test('under a counter of its own says what is missing, and works where it is passed in', async () => {
    const { store } = await recorded({ garden: ['one'] }, [], { counter: words })
    await expect(openArchive(store).dump('garden')).rejects.toMatchObject({
      code: 'cannot_derive',
      message: expect.stringContaining('my words') as string,
    })
    expect(await openArchive(store, { counters: [words] }).dump('garden')).toMatchObject({ same: true })
    expect(await openArchive(store, { counters: [words] }).verify('garden')).toMatchObject({
      ok: true,
      prompts: 1,
      underivable: 0,
    })
    expect(await openArchive(store).verify('garden')).toMatchObject({ ok: true, prompts: 0, underivable: 1 })
  })

  test('of a thread without a model call says so', async () => {
    const store = memoryStore()
    await store.append('garden', [entryOf({ role: 'user', content: 'hello' })])
    await expect(openArchive(store).dump('garden')).rejects.toMatchObject({ code: 'no_calls' })
  })

  test('of a chat that was refused before its call says why, and what helps', async () => {
    const store = memoryStore()
    const thread = openBook({ store, model: never, counter: words, window: 16, reserve: 12 }).thread('garden')
    const messages = [system('word '.repeat(50)), user('Hello')]
    const refused: unknown = await thread.relay(messages, { trusted: true }).catch((error: unknown) => error)
    const { problem, fix } = refused as MinutebookError
    const told = { code: 'unknown_call', problem: `This turn called no model. ${problem}`, fix }
    const archive = openArchive(store)
    await expect(archive.explain('garden')).rejects.toMatchObject(told)
    await expect(archive.dump('garden', { turn: 1 })).rejects.toMatchObject(told)
  })

  test('of a turn that is not there says which there are', async () => {
    const { store } = await recorded({ garden: ['one'] })
    await expect(openArchive(store).dump('garden', { turn: 9 })).rejects.toMatchObject({
      code: 'unknown_call',
      message: expect.stringContaining('1 turn') as string,
    })
  })
})

test('an explanation is the plan of the very prompt', async () => {
  const { store } = await recorded(
    { garden: Array.from({ length: 30 }, (_, index) => `question ${index} ${'about the garden '.repeat(6)}`) },
    [],
    { window: 512 },
  )
  const { plan, receipt, same, turn } = await openArchive(store).explain('garden')
  expect({ same, turn }).toEqual({ same: true, turn: 30 })
  expect(plan.tokens).toBeGreaterThanOrEqual(receipt.tokens.predicted)
  expect(
    plan.spans.some(({ verdict }) => verdict === 'digested' || verdict === 'outlined' || verdict === 'omitted'),
  ).toBe(true)
})

test('a prompt that was sent unchanged is shared out by what its messages weigh', async () => {
  const store = memoryStore()
  const model: Model = Object.assign(() => never(), { model: 'strict', wire: 'openai' as const })
  const thread = openBook({ store, model, window: 4096, journal: false }).thread('garden')
  const asked = [system('Be brief.'), user('What grows in the shade?'), assistant('Ferns.'), user('And in the sun?')]
  const relay = await thread.relay(asked, {
    trusted: true,
    tools: [{ type: 'function', function: { name: 'now', parameters: {} } }],
  })
  await relay.answer({ type: 'end', message: assistant('Sunflowers.'), finish: 'stop' })
  const { shares, receipt, plan } = await openArchive(store).explain('garden')
  expect(receipt.mode).toBe('unchanged')
  expect(shares.map(({ name }) => name)).toEqual(
    ['system', 'tools', 'verbatim', 'latest', 'free', 'reserve'].filter(
      (name) => name !== 'reserve' || plan.reserve > 0,
    ),
  )
  expect(shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(4096)
  expect(
    shares.filter(({ name }) => name !== 'free' && name !== 'reserve').reduce((sum, { tokens }) => sum + tokens, 0),
  ).toBe(receipt.tokens.predicted)
})

test('each stretch of what was sent unchanged costs what its messages weigh, wherever the system message came from', async () => {
  const store = memoryStore()
  const model: Model = Object.assign(() => never(), { model: 'strict', wire: 'openai' as const })
  const thread = openBook({ store, model, window: 4096, journal: false }).thread('garden')
  const asked = [
    system('Be brief.'),
    user('one'),
    assistant('short'),
    user('a much longer question about the wall, the trees and the shade below them'),
  ]
  const answer = async (messages: typeof asked): Promise<void> => {
    await (
      await thread.relay(messages, { trusted: true })
    ).answer({ type: 'end', message: assistant('Ferns.'), finish: 'stop' })
  }
  await answer(asked)
  await answer([
    system(`Be kind. ${'Take your time. '.repeat(40)}`),
    ...asked.slice(1),
    assistant('Ferns.'),
    user('two'),
  ])
  const { plan, receipt } = await openArchive(store).explain('garden')
  const rows = plan.spans.map(({ exchange, verdict, tokens }) => ({ exchange, verdict, tokens }))
  expect(rows.map(({ exchange, verdict }) => `${exchange} ${verdict}`)).toEqual([
    '-1 omitted',
    '0 verbatim',
    '1 verbatim',
    '2 verbatim',
  ])
  const [left, first, second, latest] = rows.map(({ tokens }) => tokens)
  expect(left).toBe(0)
  expect(first).toBeGreaterThan(latest!)
  // The new system message stands in the log before the latest question.
  expect(second).toBeGreaterThan(150)
  expect(latest).toBeLessThan(20)
  expect(left! + first! + second! + latest!).toBe(receipt.tokens.predicted)
})

test('an export restores the thread, and verification finds nothing', async () => {
  const { store, book } = await recorded({ garden: ['one', 'two'] })
  const desk = openArchive(store)
  const lines = await gathered(desk.export('garden'))
  await book.restore('copy', lines)
  expect(await gathered(desk.export('copy'))).toEqual(lines)
  expect(await desk.verify('copy')).toEqual({
    thread: 'copy',
    ok: true,
    entries: lines.length,
    prompts: 2,
    underivable: 0,
    problems: [],
  })
})
