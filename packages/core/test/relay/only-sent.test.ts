import fc from 'fast-check'
import { memoryStore, MinutebookError, type Message, type Relay } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, findIllegal, system, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

/** One request of one of several users, who all have the same key. */
interface Move {
  readonly who: number
  /** How many of the newest messages are sent: all, or an end. */
  readonly last: number
  /** Takes back everything from this message on. */
  readonly edit: number | undefined
  readonly system: 'none' | 'own' | 'in the middle'
  /** What is said of a message apart from its text: reasoning, a name. */
  readonly strips: boolean
  readonly says: 'something of its own' | 'what all say'
  readonly answers: 'something of its own' | 'what all hear'
  readonly notes: boolean
  readonly pins: boolean
  readonly anew: boolean
}

const move: fc.Arbitrary<Move> = fc.record({
  who: fc.nat({ max: 2 }),
  last: fc.constantFrom(99, 99, 99, 7, 5, 3, 2, 1),
  edit: fc.option(fc.nat({ max: 6 }), { nil: undefined, freq: 6 }),
  system: fc.constantFrom('none', 'none', 'own', 'in the middle'),
  strips: fc.boolean(),
  says: fc.constantFrom('something of its own', 'something of its own', 'what all say'),
  answers: fc.constantFrom('something of its own', 'what all hear'),
  notes: fc.boolean(),
  pins: fc.boolean(),
  anew: fc.boolean(),
})

/** Each text begins with a word that nothing else has, and has words that recall finds everywhere. */
const secretly = (word: string): string => `${word} is what the keeper wrote down of the lamp at the harbour`
const secrets = (value: unknown): string[] => JSON.stringify(value).match(/\bz\d+z\w+/g) ?? []

/** What a request says apart from system messages. */
const spoken = (messages: readonly Message[]): readonly string[] =>
  messages.filter(({ role }) => role !== 'system').map(({ role, content }) => `${role}: ${String(content)}`)

/** True if one list is in the other, without a gap. */
const isWithin = (part: readonly string[], whole: readonly string[]): boolean =>
  whole.some((_, at) => part.every((text, index) => whole[at + index] === text))

const isPrefix = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((text, index) => whole[index] === text)

test('a prompt holds what its request sent, and what was noted on a line that was sent from its first message on', async () => {
  const seen = { rewritten: 0, noted: 0, withheld: 0 }
  const drawn = [fc.array(move, { minLength: 3, maxLength: 14, size: 'max' })] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (moves) => {
      const store = memoryStore()
      const options = { window: 190, reserve: 10, notes: 'block', journal: true, checkpointEvery: 4 } as const
      const open = (): ReturnType<ReturnType<typeof relayBook>['thread']> => relayBook(options, store).thread('t')
      let thread = open()
      let count = 0
      const word = (what: string): string => `z${count++}z${what}`
      const kept: Message[][] = [[], [], []]
      const all = new Set<string>()
      const noted: { readonly word: string; readonly line: readonly string[] }[] = []
      for (const { who, last, edit, ...each } of moves) {
        const mine = kept[who]!
        if (each.anew) thread = open()
        if (edit !== undefined && edit < mine.length) mine.splice(edit - (edit % 2))
        const name = { name: word('name') }
        mine.push({
          ...user(each.says === 'what all say' ? 'go on about the lamp of the harbour' : secretly(word('said'))),
          ...name,
        })
        const sent = mine
          .slice(-last)
          .map((message): Message => (each.strips ? { role: message.role, content: message.content } : message))
        if (each.system !== 'none')
          sent.splice(each.system === 'own' ? 0 : sent.length >> 1, 0, system(secretly(word('system'))))
        for (const secret of secrets([mine, sent])) all.add(secret)
        const relay = await thread.relay(sent, { trusted: true, onlySent: true }).catch((error: unknown) => {
          if (MinutebookError.isInstance(error) && error.code === 'context_overflow') return undefined
          throw error
        })
        if (!relay) {
          mine.pop()
          continue
        }
        expect({ illegal: findIllegal(relay.messages) }).toEqual({ illegal: undefined })
        const own = new Set(secrets(sent))
        const isWhole = spoken(sent).length === mine.length
        for (const secret of secrets(relay.messages).filter((found) => !own.has(found))) {
          const line = noted.find((written) => written.word === secret)?.line
          // A conversation that repeats itself may begin again like its own beginning.
          const isOnLine =
            line !== undefined && (isPrefix(line, spoken(sent)) || (isWhole && isWithin(line, spoken(sent))))
          expect({ secret, isOnLine }).toEqual({ secret, isOnLine: true })
          seen.noted++
        }
        if ([...all].some((secret) => !own.has(secret))) seen.withheld++
        if (relay.mode === 'rewritten') seen.rewritten++
        const content = each.answers === 'what all hear' ? 'the lamp is lit' : secretly(word('heard'))
        const thinking = secretly(word('thought'))
        const note = word('noted')
        const answer = {
          role: 'assistant',
          content: each.notes ? `${content}\n[NOTE TO SELF: ${note}]` : content,
          thinking,
        }
        const { receipt } = await relay.answer(said(answer))
        if (each.notes) noted.push({ word: note, line: spoken(sent) })
        const heard = { role: 'assistant', content, thinking }
        mine.push(heard)
        for (const secret of secrets([answer])) all.add(secret)
        const dump = await open().dump({ receipt: receipt.id })
        expect(dump).toMatchObject({ same: true })
        expect(dump.messages).toEqual(JSON.parse(JSON.stringify(relay.messages)))
        if (each.pins) await thread.pin(relay.question.id)
      }
      expect(await open().verify()).toMatchObject({ ok: true, underivable: 0, problems: [] })
    }),
    withSure(20, cases('long'), drawn),
  )
  // It was no empty promise.
  expect(seen.rewritten).toBeGreaterThan(50)
  expect(seen.noted).toBeGreaterThan(10)
  expect(seen.withheld).toBeGreaterThan(50)
})

describe('an id that another history used', () => {
  test('is taken, whether the other one has its answer or not', async () => {
    const thread = relayBook().thread('t')
    const options = { trusted: true, onlySent: true, id: 'one' }
    const first = await thread.relay([user('hi'), assistant('Hello!'), user('yes')], options)
    const other = thread.relay([user('Shall I?'), assistant('Say it.'), user('yes')], options)
    await expect(other).rejects.toMatchObject({ code: 'id_taken' })
    await first.answer(said('It is z1z.'))
    const end = thread.relay([assistant('Hello!'), user('yes')], options)
    await expect(end).rejects.toMatchObject({ code: 'id_taken' })
    const again = await thread.relay([user('hi'), assistant('Hello!'), user('yes')], options)
    expect(again.answered?.text).toBe('It is z1z.')
  })
})

describe('the system text of the thread', () => {
  const asked = [user('hi'), assistant('Hello!'), user('yes')]

  test.each([true, false])('is that of the request, also if no message is new, instructed: %s', async (instructed) => {
    const book = relayBook()
    const ask = async (text: string): Promise<readonly Message[]> => {
      const relay = await book.thread('t', { system: text }).relay(asked, { onlySent: true, instructed })
      await relay.answer(said('Yes.'))
      return relay.messages
    }
    for (const text of ['z0z', 'z1z', '', 'z1z', 'z0z'])
      expect(await ask(text)).toEqual([...(text === '' ? [] : [system(text)]), ...asked])
    expect(await book.thread('t').verify()).toMatchObject({ ok: true, underivable: 0 })
  })

  test('is compared before a recorded answer is returned', async () => {
    const book = relayBook()
    const ask = (text: string, id: string): Promise<Relay> =>
      book.thread('t', { system: text }).relay(asked, { onlySent: true, id })
    await (await ask('z0z', 'one')).answer(said('It is z0z.'))
    await expect(ask('z1z', 'one')).rejects.toMatchObject({ code: 'id_taken' })
    expect((await ask('z0z', 'one')).answered?.text).toBe('It is z0z.')
    // An id whose question was recorded under another one.
    await (await ask('z1z', 'two')).answer(said('It is z1z.'))
    await expect(ask('z0z', 'two')).rejects.toMatchObject({ code: 'id_taken' })
    expect((await ask('z1z', 'two')).answered?.text).toBe('It is z1z.')
  })

  test('is that of the request, also if its question has an id and no answer', async () => {
    const book = relayBook()
    const ask = (text: string): Promise<Relay> =>
      book.thread('t', { system: text }).relay(asked, { onlySent: true, id: 'one' })
    await (await ask('z0z')).stop('failed', '')
    expect((await ask('z1z')).messages).toEqual([system('z1z'), ...asked])
  })
})

test('a system message that counts as a user’s words is as the request says it', async () => {
  const thread = relayBook({ window: 30, reserve: 5 }).thread('t')
  const ask = async (messages: readonly Message[]): Promise<readonly Message[]> => {
    const relay = await thread.relay(messages, { onlySent: true })
    await relay.answer(said('Hello!'))
    expect(relay.mode).toBe('rewritten')
    return relay.messages
  }
  const long = user('go on '.repeat(40))
  const others = { ...system('Be kind.'), name: 'z0z' }
  expect(JSON.stringify(await ask([others, long]))).toContain('z0z')
  expect(JSON.stringify(await ask([system('Be kind.'), long]))).not.toContain('z0z')
  expect(await thread.verify()).toMatchObject({ ok: true, underivable: 0 })
})

describe('a call that is continued', () => {
  /** A call that has the end of what another one said, and two that continue it. */
  const continued = async () => {
    const thread = relayBook().thread('t')
    const begin = await thread.relay([system('z0z'), user('z1z'), assistant('z2z'), user('thanks')], { trusted: true })
    await begin.answer(said('welcome'))
    const chain: { readonly receipt: string; readonly after: string }[] = []
    const go = async (text: string): Promise<readonly Message[]> => {
      const last = chain.at(-1)
      const relay = last
        ? await thread.relay([user(text)], { trusted: true, alone: true, after: last.after, continues: last.receipt })
        : await thread.relay([user('thanks'), assistant('welcome'), user(text)], { trusted: true, onlySent: true })
      const { receipt, answer } = await relay.answer(said(`re ${text}`))
      chain.push({ receipt: receipt.id, after: answer!.id })
      return relay.messages
    }
    await go('one')
    return { thread, chain, go }
  }
  const opening = [user('thanks'), assistant('welcome'), user('one'), assistant('re one')]

  test('has what it was asked and its answer, and nothing of the thread before', async () => {
    const { thread, go } = await continued()
    expect(await go('two')).toEqual([...opening, user('two')])
    expect(await go('three')).toEqual([...opening, user('two'), assistant('re two'), user('three')])
    expect(await thread.verify()).toMatchObject({ ok: true, underivable: 0 })
  })

  test('has what is left of that if a call in between is erased', async () => {
    const { thread, chain, go } = await continued()
    await go('two')
    await go('three')
    await thread.erase([chain[1]!.after])
    const sent = await go('four')
    expect(sent.slice(0, 4)).toEqual(opening)
    expect(sent.slice(-3)).toEqual([user('three'), assistant('re three'), user('four')])
    expect(JSON.stringify(sent)).not.toMatch(/z\dz|re two/)
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('whose receipt is not known has only the answer', async () => {
    const { thread, chain } = await continued()
    const { after } = chain.at(-1)!
    const relay = await thread.relay([user('two')], { trusted: true, alone: true, after, continues: null })
    expect(relay.messages).toEqual([assistant('re one'), user('two')])
  })
})
