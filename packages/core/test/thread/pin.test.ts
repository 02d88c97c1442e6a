import { defaultPolicy, memoryStore, openBook, type Store, type Thread, type ThreadOptions } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call, result, user, words } from '@minutebook/testing'
import { moodyModel } from '../support/moody-model.ts'
import { times } from '../support/times.ts'

const fact = 'Lena sits in a wheelchair.'

interface Talk {
  readonly thread: Thread
  readonly store: Store
  /** For each model call, whether its prompt has the fact. */
  readonly had: () => boolean[]
  /** Sends that many messages. */
  readonly chat: (turns: number, on?: Thread) => Promise<void>
  /** The id of the entry with this text. */
  readonly find: (text: string) => Promise<string>
  readonly reopen: () => Thread
}

function talk(options: ThreadOptions = {}, store: Store = memoryStore()): Talk {
  const model = moodyModel(() => 'answer')
  let sent = 0
  const reopen = (): Thread =>
    openBook({
      store,
      model,
      window: 200,
      policy: defaultPolicy({ recall: 'off' }),
      counter: words,
      checkpointEvery: 4,
      ...options,
    }).thread('t')
  const thread = reopen()
  return {
    thread,
    store,
    reopen,
    had: () => model.requests.map(({ messages }) => JSON.stringify(messages).includes(fact)),
    chat: async (turns, on = thread) => {
      for (let turn = 0; turn < turns; turn++) await on.send(`Message ${++sent}. ${times(12)}`).done
    },
    find: async (text) => (await store.read('t')).find((entry) => entry.text.startsWith(text))!.id,
  }
}

describe('a message that is pinned long after it was said', () => {
  test('is in every later prompt, on any instance, until it is unpinned; prompts of before are as they were', async () => {
    const { thread, had, chat, find, reopen } = talk()
    await chat(1)
    await thread.send(fact).done
    await chat(20)
    expect(had().slice(-5)).toEqual(Array(5).fill(false))
    const before = (await thread.receipts()).map(({ id }) => id)
    const dumps = await Promise.all(before.map((receipt) => thread.dump({ receipt })))

    expect(await thread.pin(await find(fact))).toBe(true)
    expect(await thread.pin(await find(fact))).toBe(false)
    await chat(10)
    await chat(10, reopen())
    expect(had().slice(-20)).toEqual(Array(20).fill(true))
    const last = await thread.dump()
    expect(last.text).toContain('--- PINNED (user) ---')
    for (const [index, receipt] of before.entries()) {
      const again = await reopen().dump({ receipt })
      expect(again).toMatchObject({ same: true, hash: dumps[index]!.hash })
    }

    expect(await reopen().unpin(await find(fact))).toBe(true)
    expect(await thread.unpin(await find(fact))).toBe(false)
    await chat(6)
    expect(had().slice(-6)).toEqual(Array(6).fill(false))
    expect(await thread.pin(await find(fact))).toBe(true)
    await chat(1)
    expect(had().at(-1)).toBe(true)
    expect(await reopen().verify()).toMatchObject({ ok: true, problems: [], prompts: had().length })
  })

  test('is marked for people', async () => {
    const { thread, chat, find } = talk()
    await thread.send(fact).done
    await chat(2)
    await thread.pin(await find(fact))
    const marked = async (): Promise<string[]> =>
      (await thread.visible()).filter(({ pinned }) => pinned).map(({ text }) => text)
    expect(await marked()).toEqual([fact])
    await thread.unpin(await find(fact))
    expect(await marked()).toEqual([])
  })

  test('is pinned on all branches and forks that have it, and on no other', async () => {
    const { thread, had, chat, find } = talk()
    await chat(2)
    const root = await find('Message 1')
    await thread.send(fact).done
    await chat(12)
    const later = await find('Message 8')
    await thread.pin(await find(fact))
    await thread.edit(later, 'Another way.').done
    expect(had().at(-1)).toBe(true)
    const fork = await thread.fork({ as: 'f' })
    await chat(9, fork)
    expect(had().slice(-9)).toEqual(Array(9).fill(true))
    await thread.edit(root, 'From the beginning.').done
    expect(had().at(-1)).toBe(false)
  })

  test('is erased with its pin', async () => {
    const { thread, store, had, chat, find } = talk()
    await chat(1)
    await thread.send(fact).done
    await chat(12)
    const id = await find(fact)
    await thread.pin(id)
    await chat(2)
    const { erased } = await thread.erase([id])
    const pin = (await store.read('t')).find(({ kind }) => kind === 'pin')!
    expect(erased).toContain(pin.id)
    expect(pin).toMatchObject({ status: 'erased', text: '' })
    await chat(2)
    expect(had().slice(-4)).toEqual([true, true, false, false])
    await expect(thread.pin(id)).rejects.toMatchObject({ code: 'not_pinnable', fix: expect.stringContaining('gone') })
  })

  test('may be pinned while a turn runs, and does not disturb it', async () => {
    const store = memoryStore()
    const seen: string[] = []
    let pinning: Promise<boolean> | undefined
    const other = openBook({ store }).thread('t')
    const thread = openBook({
      store,
      window: 300,
      counter: words,
      tools: [
        { name: 'look', parameters: { type: 'object' }, run: () => (pinning ??= pinFirst()).then(() => 'Seen.') },
      ],
      model: async function* ({ messages }) {
        seen.push(JSON.stringify(messages))
        const isCall = seen.length === 1
        yield { type: 'end', message: isCall ? assistant(null, call('x', 'look')) : assistant('Done.'), finish: 'stop' }
      },
    }).thread('t')
    const pinFirst = async (): Promise<boolean> => other.pin((await other.entries())[0]!.id)
    expect(await thread.send('Look!').done).toMatchObject({ status: 'complete' })
    expect(await pinning).toBe(true)
    expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
  })
})

test('only what users, models and tools said can be pinned', async () => {
  const { thread, chat, store } = talk({ system: 'Be brief.', notes: 'block' })
  await chat(1)
  const entries = await store.read('t')
  const ofKind = (kind: string): string => entries.find((entry) => entry.kind === kind)!.id
  await expect(thread.pin(ofKind('system'))).rejects.toMatchObject({ code: 'not_pinnable' })
  await expect(thread.pin(ofKind('receipt'))).rejects.toMatchObject({ code: 'not_pinnable' })
  await expect(thread.pin('nothing')).rejects.toMatchObject({ code: 'unknown_entry' })
  await expect(thread.unpin('nothing')).rejects.toMatchObject({ code: 'unknown_entry' })
  expect(await thread.pin(ofKind('user'))).toBe(true)
  await expect(thread.pin((await store.read('t')).find(({ kind }) => kind === 'pin')!.id)).rejects.toMatchObject({
    code: 'not_pinnable',
  })
})

test('a pinned result brings its call, and the other results of it', async () => {
  const { thread, find } = talk({ window: 260 })
  await thread.importMessages([
    user('Look.'),
    assistant('', call('x', 'look', { page: 1 }), call('y', 'look', { page: 2 })),
    result('x', 'Page one.'),
    result('y', 'Page two.'),
    ...Array.from({ length: 30 }, (_, turn) => [user(`q${turn} ${times(9)}`), assistant(times(9))]).flat(),
    user('And?'),
  ])
  await thread.pin(await find('Page two.'))
  const { text } = await thread.dump()
  expect(text).toContain('{"page":1}')
  expect(text).toContain('#2 tool> Page one.\n#3 tool> Page two.\n[End of pinned messages]')
})
