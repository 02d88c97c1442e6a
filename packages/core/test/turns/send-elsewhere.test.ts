import { defineTool, memoryStore, openBook, type Model, type Store, type Thread, type TurnEvent } from 'minutebook'
import { entryOf, traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { company, type Company } from '../support/instances.ts'
import { script, type Line } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tick } from '../../../../tests/support/tick.ts'

const chain = async (thread: Thread): Promise<string[]> =>
  (await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ text }) => text)

async function eventsOf(turn: AsyncIterable<TurnEvent>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of turn) seen.push(event.type === 'text' ? event.text : event.type)
  return seen
}

/** An instance that only sends, and one that runs a model which is held. */
function held(
  ...lines: readonly Line[]
): Company & { readonly thread: Thread; readonly other: Thread; readonly release: () => void } {
  const all = company()
  const { model, release } = slow(...lines)
  all.join({ model })
  const [front, back] = [all.join({}, { works: false }), all.join({}, { works: false })]
  return { ...all, thread: front.book.thread('t'), other: back.book.thread('t'), release }
}

const recorded = async ({ store }: Company, count: number): Promise<void> =>
  expect.poll(async () => (await store.read('t')).length).toBeGreaterThanOrEqual(count)

describe('a turn that another instance runs', () => {
  const look = defineTool({ name: 'look', parameters: {}, run: () => 'red' })

  test('has the events of one that runs here, in their order', async () => {
    const { join } = company()
    join({ model: script(assistant('Let me look.', call('c', 'look')), 'It is red.'), tools: [look], system: 'Rules.' })
    const thread = join({ system: 'Rules.' }, { works: false }).book.thread('t')
    const turn = thread.send('What colour?')
    expect((await eventsOf(turn)).join(' ').replaceAll(/ +/g, ' ')).toMatch(
      /^Let me look\. receipt call result It is red\. receipt end$/,
    )
    const { id } = (await thread.entries()).find(({ kind }) => kind === 'user')!
    expect(await turn.done).toEqual({
      status: 'complete',
      text: 'It is red.',
      turn: id,
      answer: expect.any(String) as string,
    })
    expect(shape(await thread.entries())).toEqual([
      'system',
      'user',
      'assistant',
      'receipt',
      'tool',
      'assistant',
      'journal',
      'receipt',
    ])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test('has them also where nothing is told, by looking from time to time', async () => {
    const mute = { publish: () => undefined, listen: async () => () => undefined }
    const { join } = company({ feed: mute })
    join({ model: script(assistant('Let me look.', call('c', 'look')), 'It is red.'), tools: [look] })
    expect((await eventsOf(join({}, { works: false }).book.thread('t').send('?'))).join(' ')).toBe(
      'Let me look. receipt call result It is red. receipt end',
    )
  })

  test('fails as one that fails here, but for what was thrown', async () => {
    const { join } = company()
    const { errors } = join({
      model: async function* () {
        yield { type: 'text', text: 'Half an' }
      },
    })
    const thread = join({}, { works: false }).book.thread('t')
    expect(await thread.send('Go').done).toMatchObject({
      status: 'failed',
      text: 'Half an',
      reason: { code: 'model_cut' },
    })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant failed', 'receipt', 'stop failed'])
    // Whoever runs the model is told with what it failed.
    await expect.poll(() => errors).toMatchObject([{ code: 'model_cut' }])
  })

  test('waits until there is someone to run it', async () => {
    const { join, ...all } = company()
    const turn = join({}, { works: false }).book.thread('t').send('Go')
    await recorded({ join, ...all }, 1)
    join({ model: script('Here.') })
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Here.' })
  })

  test('is found by an instance that comes later and looks for what was left', async () => {
    const { join, store } = company()
    await store.append('t', [entryOf({ role: 'user', content: 'Left.' })])
    join({ model: script('Found.') })
    const thread = join({}, { works: false }).book.thread('t')
    expect(await thread.resume().done).toMatchObject({ status: 'complete', text: 'Found.' })
  })
})

describe('two at once', () => {
  test('reject: the second ends as busy and leaves nothing', async () => {
    const all = held('One.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    expect(await all.other.send('second').done).toMatchObject({ status: 'busy' })
    all.release()
    await first.done
    expect(await chain(all.thread)).toEqual(['first', 'One.'])
  })

  test.each(['first', 'other'])(
    'at the same moment, with the words "first" and "%s": one wins, the other is busy',
    async (words) => {
      const { thread, other, release } = held('One.')
      const turns = [thread.send('first'), other.send(words)]
      release()
      expect((await Promise.all(turns.map(({ done }) => done))).map(({ status }) => status).toSorted()).toEqual([
        'busy',
        'complete',
      ])
      expect((await thread.entries()).filter(({ kind }) => kind === 'user')).toHaveLength(1)
    },
  )

  test('queue: each is answered, in order, and was on record while it waited', async () => {
    const all = held('One.', 'Two.', 'Three.')
    const turns = [all.thread.send('first', { ifBusy: 'queue' })]
    await recorded(all, 1)
    turns.push(all.other.send('second', { ifBusy: 'queue' }))
    await recorded(all, 2)
    turns.push(all.thread.send('second', { ifBusy: 'queue', speaker: 'Ann' }))
    await recorded(all, 3)
    all.release()
    expect((await Promise.all(turns.map(({ done }) => done))).map(({ text }) => text)).toEqual([
      'One.',
      'Two.',
      'Three.',
    ])
    expect(await chain(all.thread)).toEqual(['first', 'One.', 'second', 'Two.', 'second', 'Three.'])
    expect((await all.store.read('t')).filter(({ kind }) => kind === 'pending')).toHaveLength(2)
  })

  test('queue: whoever sends under an id does not overtake those who need one made', async () => {
    const all = held('One.', 'Two.', 'Three.')
    const turns = [all.thread.send('first', { ifBusy: 'queue' })]
    await recorded(all, 1)
    turns.push(all.thread.send('second', { ifBusy: 'queue' }), all.thread.send('third', { ifBusy: 'queue', id: 'k' }))
    await recorded(all, 3)
    all.release()
    await Promise.all(turns.map(({ done }) => done))
    expect(await chain(all.thread)).toEqual(['first', 'One.', 'second', 'Two.', 'third', 'Three.'])
  })

  test('queue: the same words of many at the same moment are said as often', async () => {
    const all = held('Yes.')
    const turns = Array.from({ length: 6 }, (_, n) => (n % 2 ? all.thread : all.other).send('hi', { ifBusy: 'queue' }))
    await recorded(all, 6)
    all.release()
    expect((await Promise.all(turns.map(({ done }) => done))).map(({ status }) => status)).toEqual(
      turns.map(() => 'complete'),
    )
    expect(await chain(all.thread)).toEqual(turns.flatMap(() => ['hi', 'Yes.']))
  })

  test('queue: a history, which cannot wait on record, goes on when the thread rests', async () => {
    const all = held('One.', 'Two.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    const second = all.other.send(
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: 'second' },
      ],
      { ifBusy: 'queue' },
    )
    await tick()
    all.release()
    await first.done
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
    expect(await chain(all.thread)).toEqual(['first', 'One.', 'second', 'Two.'])
    expect((await all.store.read('t')).filter(({ kind }) => kind === 'pending')).toEqual([])
  })

  test('interrupt: the first ends as cancelled, the second is answered', async () => {
    const all = held('Two.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    await tick()
    const second = all.other.send('second', { ifBusy: 'interrupt' })
    expect((await first.done).status).toBe('cancelled')
    all.release()
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })

  test('interrupt: open calls get results first', async () => {
    const { join } = company()
    const stuck = defineTool({ name: 'stuck', parameters: {}, run: () => new Promise(() => undefined) })
    join({ model: script(assistant(null, call('c', 'stuck')), 'Two.'), tools: [stuck] })
    const thread = join({}, { works: false }).book.thread('t')
    const first = thread.send('first')
    for await (const event of first) if (event.type === 'call') break
    expect(await thread.send('second', { ifBusy: 'interrupt' }).done).toMatchObject({ text: 'Two.' })
    expect(shape(await thread.entries()).filter((kind) => kind !== 'pending')).toEqual([
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'journal',
      'stop cancelled',
      'user',
      'assistant',
      'receipt',
    ])
  })
})

describe('cancelling', () => {
  test('a turn that another instance runs: what it showed is kept', async () => {
    const { join } = company()
    const model: Model = async function* ({ signal }) {
      yield { type: 'text', text: 'So far' }
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    }
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'text') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled', text: 'So far', reason: { code: 'cancelled' } })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant cancelled', 'receipt', 'stop cancelled'])
  })

  test('a turn whose runner does not hear: it is fenced, and the stop is written here', async () => {
    const all = company()
    const { model, release } = slow('Too late.')
    const deaf = { ...all.queue, cancel: async () => undefined }
    all.join({ model })
    const thread = openBook({ store: all.store, queue: deaf, feed: all.feed, clock: all.clock }).thread('t')
    const turn = thread.send('Go')
    await recorded(all, 1)
    await tick()
    turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled', reason: { code: 'cancelled' } })
    release()
    for (let round = 0; round < 20; round++) await tick()
    expect(shape(await thread.entries())).toEqual(['user', 'stop cancelled'])
    expect(await thread.send('Again').done).toMatchObject({ status: 'complete', text: 'Too late.' })
  })

  test('a turn that nobody runs', async () => {
    const { join, ...all } = company()
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    await recorded({ join, ...all }, 1)
    turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
    expect(shape(await thread.entries())).toEqual(['user', 'stop cancelled'])
  })

  test('a message that waits: it is taken back, and the one that runs is not touched', async () => {
    const all = held('One.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    const second = all.other.send('second', { ifBusy: 'queue' })
    await recorded(all, 2)
    second.cancel()
    expect(await second.done).toMatchObject({ status: 'cancelled', turn: null })
    all.release()
    expect(await first.done).toMatchObject({ status: 'complete', text: 'One.' })
    expect(await chain(all.thread)).toEqual(['first', 'One.'])
  })

  test('before it was sent: nothing is on record', async () => {
    const { thread, store } = held('One.')
    expect(await thread.send('Go', { signal: AbortSignal.abort() }).done).toMatchObject({ status: 'cancelled' })
    expect(await store.read('t')).toEqual([])
  })

  test('a hint that comes too late does not end the next turn', async () => {
    const all = held('One.')
    const turn = all.thread.send('Go')
    await recorded(all, 1)
    await tick()
    await all.queue.cancel('t', 'the turn before')
    await tick()
    all.release()
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'One.' })
  })

  test('a message that is being admitted at that moment: it is said, and its turn cancelled', async () => {
    const store = memoryStore()
    const isAdmission = (entries: readonly { kind: string; key?: string }[]): boolean =>
      entries.some(({ kind, key }) => kind === 'user' && key === 'k')
    let cancel = async (): Promise<void> => undefined
    const sluggish: Store = {
      ...store,
      append: async (thread, entries, terms) => {
        if (isAdmission(entries)) await cancel()
        return store.append(thread, entries, terms)
      },
    }
    const { join } = company({ store: sluggish })
    const [{ model: one, release }, { model: two }] = [slow('One.'), slow('Two.')]
    let calls = 0
    join({ model: (request) => (++calls === 1 ? one : two)(request) })
    const thread = join({}, { works: false }).book.thread('t')
    const first = thread.send('first')
    await expect.poll(async () => (await store.read('t')).length).toBe(1)
    const second = thread.send('second', { id: 'k', ifBusy: 'queue' })
    await expect.poll(async () => (await store.read('t')).length).toBeGreaterThan(1)
    cancel = async () => {
      second.cancel()
      while (!(await store.read('t')).some(({ kind }) => kind === 'revocation')) await tick()
      await second.done
    }
    release()
    await first.done
    expect(await second.done).toMatchObject({ status: 'cancelled' })
    await expect.poll(async () => shape(await store.read('t')).slice(-3)).toEqual(['user', 'receipt', 'stop cancelled'])
  })
})

describe('sending again with the same id', () => {
  test('is not saying it again, from whatever instance', async () => {
    const { thread, other, release } = held('One.', 'Two.')
    const turns = [
      thread.send('Go', { id: 'k' }),
      other.send('Go', { id: 'k' }),
      thread.send('Go', { id: 'k', ifBusy: 'queue' }),
    ]
    release()
    const results = await Promise.all(turns.map(({ done }) => done))
    expect(results.map(({ text }) => text)).toEqual(['One.', 'One.', 'One.'])
    expect((await other.send('Go', { id: 'k' }).done).text).toBe('One.')
    expect(await chain(thread)).toEqual(['Go', 'One.'])
  })

  test('follows what waits under it', async () => {
    const all = held('One.', 'Two.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    const waiting = all.thread.send('Go', { id: 'k', ifBusy: 'queue' })
    await recorded(all, 2)
    const again = all.other.send('Go', { id: 'k' })
    all.release()
    await first.done
    expect((await Promise.all([waiting.done, again.done])).map(({ text }) => text)).toEqual(['Two.', 'Two.'])
    expect(await chain(all.thread)).toEqual(['first', 'One.', 'Go', 'Two.'])
  })

  test('and other words is refused', async () => {
    const { thread, release } = held('One.')
    release()
    await thread.send('Go', { id: 'k' }).done
    expect(await thread.send('Stop', { id: 'k' }).done).toMatchObject({
      status: 'failed',
      reason: { code: 'id_taken' },
    })
  })

  test('after it was taken back is saying it', async () => {
    const all = held('One.', 'Two.')
    const first = all.thread.send('first')
    await recorded(all, 1)
    const waiting = all.thread.send('Go', { id: 'k', ifBusy: 'queue' })
    await recorded(all, 2)
    waiting.cancel()
    await waiting.done
    const again = all.thread.send('Go', { id: 'k', ifBusy: 'queue' })
    await tick()
    all.release()
    await first.done
    expect(await again.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })
})
