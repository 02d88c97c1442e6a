import { defineTool, memoryStore, type Message, type RelayOptions, type Thread } from 'minutebook'
import { callPosition, standingsIn } from 'minutebook/inspect'
import { assistant, call } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'

const order = call('c1', 'order', { item: 'lamp' })
const pick = call('c2', 'pick', {})

/** A turn that waits: `order` for approval, `pick` for an answer. */
async function shop(...calls: readonly ReturnType<typeof call>[]): Promise<{ thread: Thread; ran: string[] }> {
  const ran: string[] = []
  const tools = [
    defineTool({ name: 'order', approve: true, run: () => String(ran.push('order')) }),
    defineTool({ name: 'pick' }),
  ]
  const thread = book({ model: script(assistant(null, ...calls), 'Done.'), tools }, memoryStore()).thread('t')
  expect((await thread.send('Buy a lamp').done).status).toBe('waiting')
  return { thread, ran }
}

const result = (id: string, content = 'bought'): Message => ({ role: 'tool', tool_call_id: id, content })
const user: Message = { role: 'user', content: 'Buy a lamp' }

const questionOf = async (thread: Thread): Promise<string> =>
  (await thread.entries()).find(({ kind }) => kind === 'user')!.id

/** Ways to say something on a thread whose call waits for approval. */
const ways: readonly (readonly [name: string, say: (thread: Thread) => Promise<unknown>])[] = [
  ['a result through a relay', (thread) => thread.relay([result('c1')], { alone: true })],
  ['a result for no call', (thread) => thread.relay([result('other')], { alone: true })],
  ['a history with a result', (thread) => thread.relay([user, assistant(null, order), result('c1')])],
  [
    'a history with a result and a message',
    (thread) => thread.relay([user, assistant(null, order), result('c1'), user]),
  ],
  ['a message through a relay', (thread) => thread.relay([{ role: 'user', content: 'Well?' }], { alone: true })],
  [
    'a system message',
    (thread) => thread.relay([{ role: 'system', content: 'Go on.' }, result('c1')], { alone: true, trusted: true }),
  ],
  [
    'a history that has the call in another answer',
    (thread) => thread.relay([user, assistant('Sure.', order), result('c1')]),
  ],
  [
    'a history with an edited question',
    (thread) => thread.relay([{ role: 'user', content: 'Buy a lamp!' }, assistant(null, order), result('c1')]),
  ],
  ['a history with nothing in common', (thread) => thread.relay([{ role: 'user', content: 'Well?' }])],
  [
    'a message after the question',
    async (thread) => thread.relay([user], { alone: true, after: await questionOf(thread) }),
  ],
]

describe.each(ways)('%s', (_, say) => {
  test('does not answer a call that waits for approval, nor end its wait', async () => {
    const { thread, ran } = await shop(order)
    const before = (await thread.entries()).length
    await expect(say(thread)).rejects.toMatchObject({ code: 'needs_decision' })
    expect((await thread.waiting()).map(({ call: { name } }) => name)).toEqual(['order'])
    expect(await thread.entries()).toHaveLength(before)
    const [open] = await thread.waiting()
    expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('Done.')
    expect(ran).toEqual(['order'])
  })
})

test('a relayed answer that comes while a call waits is recorded', async () => {
  const tool = defineTool({ name: 'order', approve: true, run: () => 'bought' })
  const thread = book({ model: script(assistant(null, order)), tools: [tool] }, memoryStore()).thread('t')
  const relay = await thread.relay([{ role: 'user', content: 'Hello' }])
  expect((await thread.send('Buy a lamp').done).status).toBe('waiting')
  const { answer } = await relay.answer({ type: 'end', message: assistant('Hi.'), finish: 'stop', usage: {} })
  expect(answer?.text).toBe('Hi.')
})

test.each<[string, RelayOptions]>([
  ['a history', {}],
  ['a message under its id', { id: 'first' }],
])('%s that is recorded already is not answered while a call waits', async (_, options) => {
  const tool = defineTool({ name: 'order', approve: true, run: () => 'bought' })
  const thread = book({ model: script('Hi.', assistant(null, order)), tools: [tool] }, memoryStore()).thread('t')
  await thread.send('Hello', { id: 'first' }).done
  expect((await thread.send('Buy a lamp').done).status).toBe('waiting')
  const said = thread.relay([{ role: 'user', content: 'Hello' }], options)
  await expect(said).rejects.toMatchObject({ code: 'needs_decision' })
  expect(await thread.waiting()).toHaveLength(1)
})

test('a result that is sent or adopted does not answer it either', async () => {
  const { thread } = await shop(order)
  expect(await thread.send(result('c1')).done).toMatchObject({
    status: 'busy',
    reason: { fix: expect.stringContaining('thread.decide') as string },
  })
  expect(await thread.send([user, assistant(null, order), result('c1')]).done).toMatchObject({ status: 'busy' })
  await expect(thread.importMessages([result('c1')])).rejects.toMatchObject({ code: 'busy' })
  expect(await thread.waiting()).toHaveLength(1)
})

test('a result on another branch of the same call needs a decision, too', async () => {
  const { thread, ran } = await shop(order)
  const [open] = await thread.waiting()
  await thread.decide(open!.id, { do: 'refuse' }).done
  const answer = (await thread.entries()).find(({ calls }) => calls.length > 0)!
  expect(await thread.send(result('c1'), { after: answer.id }).done).toMatchObject({
    status: 'failed',
    error: { code: 'needs_decision' },
  })
  expect(ran).toEqual([])
})

test('a call that waits for an answer takes a result, one beside it that waits for approval does not', async () => {
  const { thread } = await shop(order, pick)
  await thread.relay([result('c2', 'red')], { alone: true })
  expect((await thread.waiting()).map(({ call: { name } }) => name)).toEqual(['order'])
  await expect(thread.relay([result('c1')], { alone: true })).rejects.toMatchObject({ code: 'needs_decision' })
  const only = await shop(pick)
  await only.thread.relay([result('c2', 'red')], { alone: true })
  expect(await only.thread.waiting()).toEqual([])
})

describe('a decision', () => {
  test('records the login besides the name that the caller gives', async () => {
    const { thread } = await shop(order)
    const [open] = await thread.waiting()
    const via = { channel: 'key', key: 'desk' }
    await thread.decide(open!.id, { do: 'run' }, { by: 'ceo', via }).done
    const entries = await thread.entries()
    const { wait } = callPosition(open!.id)!
    const issuer = entries.find(({ id }) => id === entries.find((entry) => entry.id === wait)?.parent)!
    expect(standingsIn(issuer, entries)[0]?.taken).toMatchObject({ decision: { do: 'run' }, by: 'ceo', via })
    expect((await thread.decide(open!.id, { do: 'run' }, { by: 'ann' }).done).status).toBe('complete')
    expect(await thread.decide(open!.id, { do: 'refuse' }).done).toMatchObject({
      error: { code: 'already_decided', details: { by: 'ceo', via } },
    })
  })

  test('of somebody who may not approve is for calls that need an answer alone', async () => {
    const { thread, ran } = await shop(order, pick)
    const [ordering, picking] = await thread.waiting()
    for (const decision of [{ do: 'run' }, { do: 'refuse' }] as const)
      expect(await thread.decide(ordering!.id, decision, { mayApprove: false }).done).toMatchObject({
        status: 'failed',
        error: { code: 'may_not_approve' },
      })
    expect(await thread.waiting()).toHaveLength(2)
    await thread.decide(picking!.id, { do: 'answer', output: 'red' }, { mayApprove: false }).done
    expect((await thread.waiting()).map(({ id }) => id)).toEqual([ordering!.id])
    expect(ran).toEqual([])
  })
})
