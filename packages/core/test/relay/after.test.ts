import { describe, expect, test } from 'vitest'
import type { Relay, Thread } from 'minutebook'
import { assistant, system, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const book = relayBook()

/** Asks behind an entry, and gives what was sent and the answer's id. */
async function ask(
  thread: Thread,
  text: string,
  after?: string,
): Promise<{ readonly relay: Relay; readonly answer: string }> {
  const relay = await thread.relay([user(text)], { alone: true, after })
  const { answer } = await relay.answer(said(`re ${text}`))
  return { relay, answer: answer!.id }
}

describe('messages that are no history', () => {
  test('follow the entry that is named, and make a branch where that is not the newest', async () => {
    const thread = book.thread('branches')
    const one = await ask(thread, 'one')
    await ask(thread, 'two', one.answer)
    const three = await ask(thread, 'three', one.answer)
    expect(three.relay.messages).toEqual([user('one'), assistant('re one'), user('three')])
    const four = await ask(thread, 'four')
    expect(four.relay.messages.slice(0, 4)).toEqual([
      user('one'),
      assistant('re one'),
      user('three'),
      assistant('re three'),
    ])
    expect(await thread.branches()).toHaveLength(2)
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('said again behind the same entry are the same question', async () => {
    const thread = book.thread('again')
    const one = await ask(thread, 'one')
    const first = await thread.relay([user('two')], { alone: true, after: one.answer })
    const again = await thread.relay([user('two')], { alone: true, after: one.answer, retry: true })
    expect(again.question.id).toBe(first.question.id)
  })
})

describe('messages in the place of erased ones', () => {
  test('are recorded after what is left of these, as often as they are erased', async () => {
    const thread = book.thread('erased')
    const one = await ask(thread, 'one')
    const questions = new Set<string>()
    for (let count = 0; count < 4; count++) {
      const two = await ask(thread, 'two', one.answer)
      expect(two.relay.messages).toEqual([user('one'), assistant('re one'), user('two')])
      questions.add(two.relay.question.id)
      await thread.erase(count === 3 ? [two.answer] : [two.relay.question.id, two.answer])
    }
    expect(questions.size).toBe(4)
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('follow those before them that are still there', async () => {
    const thread = book.thread('erased in part')
    const one = await ask(thread, 'one')
    const options = { alone: true, after: one.answer }
    const first = await thread.relay([user('two'), user('three')], options)
    await thread.erase([first.question.id])
    const again = await thread.relay([user('two'), user('three')], options)
    expect(again.messages.slice(2)).toEqual([user('two'), user('three')])
    expect((await thread.entries()).filter(({ text }) => text === 'two')).toHaveLength(1)
  })

  test('do not come back with a history, which its client may only have kept', async () => {
    const thread = relayBook().thread('t')
    const { question } = await thread.relay([user('one')])
    await thread.erase([question.id])
    await thread.relay([user('one')])
    expect(JSON.stringify(await thread.entries())).not.toContain('one')
  })
})

describe('an empty system text', () => {
  test('ends the one before, and is none itself', async () => {
    const opened = (text: string): Thread => book.thread('texts', { system: text })
    const one = await ask(opened('Be brief.'), 'one')
    expect(one.relay.messages).toEqual([system('Be brief.'), user('one')])
    const two = await ask(opened(''), 'two', one.answer)
    expect(two.relay.messages).toEqual([user('one'), assistant('re one'), user('two')])
    const three = await ask(opened('Be kind.'), 'three', two.answer)
    expect(three.relay.messages[0]).toEqual(system('Be kind.'))
    const log = await opened('').entries()
    expect(log.filter(({ kind }) => kind === 'system').map(({ text }) => text)).toEqual(['Be brief.', '', 'Be kind.'])
    expect(await opened('').verify()).toMatchObject({ ok: true })
  })

  test('leaves nothing where there was none', async () => {
    const thread = book.thread('none', { system: '' })
    const { relay } = await ask(thread, 'one')
    expect(relay.mode).toBe('unchanged')
    expect((await thread.entries()).filter(({ kind }) => kind === 'system')).toEqual([])
  })
})

describe('a request that has the system text itself', () => {
  const asked = { instructed: true } as const

  test('passes unchanged, and its receipt refers to the text', async () => {
    const opened = (text: string): Thread => book.thread('instructed', { system: text })
    const first = await opened('Be brief.').relay([user('one')], asked)
    expect(first.mode).toBe('unchanged')
    expect(first.messages).toEqual([system('Be brief.'), user('one')])
    await first.answer(said('re one'))
    const next = await opened('Be kind.').relay([user('one'), assistant('re one'), user('two')], asked)
    expect(next.mode).toBe('unchanged')
    expect(next.messages).toEqual([system('Be kind.'), user('one'), assistant('re one'), user('two')])
    const { receipt } = await next.answer(said('re two'))
    expect((await opened('').dump({ receipt: receipt.id })).messages).toEqual(next.messages)
    expect(await opened('').verify()).toMatchObject({ ok: true })
  })

  test('records the text once, also if other system messages follow it', async () => {
    const thread = book.thread('instructed once', { system: 'Be brief.' })
    const rules = { role: 'developer', content: 'Never shout.' }
    const first = await thread.relay([rules, user('one')], { ...asked, trusted: true })
    await first.answer(said('re one'))
    const next = await thread.relay([rules, user('one'), assistant('re one'), user('two')], { ...asked, trusted: true })
    expect(next.messages.slice(0, 2)).toEqual([system('Be brief.'), rules])
    expect((await thread.entries()).filter(({ kind }) => kind === 'system').map(({ text }) => text)).toEqual([
      'Be brief.',
      'Never shout.',
    ])
  })

  test('is rewritten if others were said before, or without that option', async () => {
    const thread = book.thread('instructed later', { system: 'Be brief.' })
    const first = await thread.relay([user('one')], { ...asked, alone: true })
    expect(first.mode).toBe('unchanged')
    const { answer } = await first.answer(said('re one'))
    const next = await thread.relay([user('two')], { ...asked, alone: true, after: answer!.id })
    expect(next.mode).toBe('rewritten')
    expect(next.messages).toEqual([system('Be brief.'), user('one'), assistant('re one'), user('two')])
    expect((await book.thread('plain', { system: 'Be brief.' }).relay([user('one')])).mode).toBe('rewritten')
  })
})
