import type { Message, RelayOptions, Thread } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

/** What a client sends, how, and what it is answered; then what must be new on record, and what is answered. */
type Row = readonly [
  messages: readonly Message[],
  options: RelayOptions,
  answer: string | undefined,
  fresh: string,
  question: string,
]

const hi = user('Hi')
const hello = assistant('Hello!')
const bye = user('Bye')
const look = assistant(null, call('a', 'look'))

const table: Readonly<Record<string, readonly Row[]>> = {
  'a chat that goes on': [
    [[hi], {}, 'Hello!', 'user Hi', 'Hi'],
    [[hi, hello, bye], {}, 'Bye!', 'user Bye', 'Bye'],
  ],
  'the same messages again': [
    [[hi], {}, 'Hello!', 'user Hi', 'Hi'],
    [[hi], {}, 'Hey.', '', 'Hi'],
    [[hi, hello, bye], {}, undefined, 'user Bye', 'Bye'],
  ],
  'the same messages as a retry': [
    [[hi], {}, undefined, 'user Hi', 'Hi'],
    [[hi], { retry: true }, 'Hello!', '', 'Hi'],
  ],
  'an edited message': [
    [[hi], {}, 'Hello!', 'user Hi', 'Hi'],
    [[hi, hello, bye], {}, 'Bye!', 'user Bye', 'Bye'],
    [[hi, hello, user('Wait')], {}, 'Yes?', 'user Wait', 'Wait'],
  ],
  'a dated system message': [
    [[system('Monday'), hi], { trusted: true }, 'Hello!', 'system Monday, user Hi', 'Hi'],
    [[system('Tuesday'), hi, hello, bye], { trusted: true }, 'Bye!', 'system Tuesday, user Bye', 'Bye'],
  ],
  'a dated system message of nobody': [
    [[system('Monday'), hi], {}, 'Hello!', 'user Monday, user Hi', 'Hi'],
    [[system('Tuesday'), hi, hello, bye], {}, 'Bye!', 'user Tuesday, user Bye', 'Bye'],
    [[system('Tuesday'), hi, hello, bye, assistant('Bye!'), hi], {}, 'Again?', 'user Hi', 'Hi'],
  ],
  'a question asked again on another day': [
    [[system('Monday'), hi], { trusted: true }, 'Hello!', 'system Monday, user Hi', 'Hi'],
    [[system('Tuesday'), hi], { trusted: true }, 'Hey.', 'system Tuesday', 'Hi'],
  ],
  'a trimmed front': [
    [[hi], {}, 'Hello!', 'user Hi', 'Hi'],
    [[hi, hello, bye], {}, 'Bye!', 'user Bye', 'Bye'],
    [[bye, assistant('Bye!'), user('Still there?')], {}, 'No.', 'user Still there?', 'Still there?'],
  ],
  'answers without the white space around them': [
    [[hi], {}, ' Hello!\n', 'user Hi', 'Hi'],
    [[hi, hello, bye], {}, 'Bye!', 'user Bye', 'Bye'],
  ],
  'no history at all': [
    [[hi], { alone: true }, 'Hello!', 'user Hi', 'Hi'],
    [[hi], { alone: true }, 'Again?', 'user Hi', 'Hi'],
  ],
  'no history, said again after a failure': [
    [[hi], { alone: true }, undefined, 'user Hi', 'Hi'],
    [[hi], { alone: true, retry: true }, 'Hello!', '', 'Hi'],
  ],
  'no history, said again after an answer': [
    [[hi], { alone: true }, 'Hello!', 'user Hi', 'Hi'],
    [[hi], { alone: true, retry: true }, 'Hey.', '', 'Hi'],
  ],
  'an answer that is begun': [[[hi, assistant('Hel')], {}, 'lo!', 'user Hi, assistant Hel', 'Hel']],
  'a system message at the end': [
    [[hi, system('Be brief.')], { trusted: true }, 'Hello!', 'user Hi, system Be brief.', 'Be brief.'],
    [[hi, system('Be brief.')], { trusted: true }, 'Hey.', '', 'Be brief.'],
  ],
  'only a system message': [
    [[system('Greet them.')], { trusted: true }, 'Hello!', 'system Greet them.', 'Greet them.'],
  ],
  'results, and a message while calls are open': [
    [[hi, look, result('a', 'fog')], {}, 'Fog.', 'user Hi, assistant , tool fog', 'fog'],
    [[hi, look, user('Never mind.')], {}, 'Fine.', 'user Never mind.', 'Never mind.'],
    [[hi, look, user('Never mind.'), assistant('Fine.'), bye], {}, 'Bye!', 'user Bye', 'Bye'],
  ],
  'an id that comes again after the answer': [
    [[hi], { id: 'x' }, 'Hello!', 'user Hi', 'Hi'],
    [[hi], { id: 'x' }, 'Hey.', '', 'Hi'],
  ],
  'an id that comes again with half of the messages': [
    [[hi, hello, bye], { id: 'x' }, undefined, 'user Hi, assistant Hello!, user Bye', 'Bye'],
    [[system('Tuesday'), bye], { id: 'x' }, 'Bye!', '', 'Bye'],
  ],
}

const chain = async (thread: Thread): Promise<Map<string, string>> => {
  const heads = await thread.branches()
  const all = await Promise.all(heads.map(({ head }) => thread.entries({ head })))
  return new Map(
    all
      .flat()
      .filter(({ kind }) => traits[kind].chained)
      .toSorted((left, right) => left.seq - right.seq)
      .map(({ id, kind, text }) => [id, `${kind} ${text}`]),
  )
}

describe('what a relay puts on record', () => {
  test.each(Object.entries(table))('%s', async (_, rows) => {
    const thread = relayBook().thread('t')
    for (const [messages, options, answer, fresh, question] of rows) {
      const before = await chain(thread)
      const relay = await thread.relay(messages, options)
      const added = [...(await chain(thread))].filter(([id]) => !before.has(id)).map(([, text]) => text)
      // Where something was said before, one message alone is not enough.
      const mode = options.alone && before.size > 0 && fresh !== '' ? 'rewritten' : 'unchanged'
      expect({ fresh: added.join(', '), question: relay.question.text, mode: relay.mode }).toEqual({
        fresh,
        question,
        mode,
      })
      if (answer !== undefined) await relay.answer(said(answer))
      else await relay.stop('failed', '')
    }
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: rows.length, underivable: 0 })
  })
})

describe('an id', () => {
  test('finds the finished answer, of its own call and no other', async () => {
    const thread = relayBook().thread('t')
    const first = await thread.relay([hi], { id: 'one' })
    expect(first.answered).toBeUndefined()
    await first.answer(said('Hello!'))
    // Another wish for an answer to the same words.
    const second = await thread.relay([hi], { id: 'two' })
    expect(second).toMatchObject({ question: { id: first.question.id } })
    expect(second.answered).toBeUndefined()
    expect((await thread.relay([hi], { id: 'two' })).answered).toBeUndefined()
    await second.answer(said('Hey.'))
    expect((await thread.relay([hi], { id: 'one' })).answered).toMatchObject({ text: 'Hello!' })
    expect((await thread.relay([hi], { id: 'two' })).answered).toMatchObject({ text: 'Hey.' })
    expect((await thread.relay([hi])).answered).toBeUndefined()
  })

  test('is a new call where the first was cut short', async () => {
    const thread = relayBook().thread('t')
    await (await thread.relay([hi], { id: 'one' })).stop('cancelled', 'Hel')
    const again = await thread.relay([hi], { id: 'one' })
    expect(again.answered).toBeUndefined()
    await again.answer(said('Hello!'))
    expect((await thread.relay([hi], { id: 'one' })).answered).toMatchObject({ text: 'Hello!' })
    expect(await thread.branches()).toHaveLength(2)
  })

  test('may be on results, too', async () => {
    const thread = relayBook().thread('t')
    await (await thread.relay([hi])).answer(said(look, { finish: 'calls' }))
    const messages = [hi, look, result('a', 'fog')]
    await (await thread.relay(messages, { id: 'one' })).answer(said('Fog.'))
    expect((await thread.relay(messages, { id: 'one' })).answered).toMatchObject({ text: 'Fog.' })
  })

  test('is for one question only', async () => {
    const thread = relayBook().thread('t')
    await thread.relay([hi], { id: 'one' })
    await expect(thread.relay([bye], { id: 'one' })).rejects.toMatchObject({ code: 'id_taken' })
  })
})
