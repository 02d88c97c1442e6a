import {
  localFeed,
  openBook,
  type Feed,
  type FollowEvent,
  type Model,
  type Position,
  type Store,
  type Thread,
} from 'minutebook'
import type { FeedEvent } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** What is shown, as a screen has it, and where it ends. */
async function read(
  shown: AsyncIterable<FollowEvent>,
  before = '',
): Promise<{ text: string; resets: number; at: Position | undefined }> {
  let [text, resets, at] = [before, 0, undefined as Position | undefined]
  for await (const each of shown) {
    if (each.type === 'reset') resets++
    else expect(each.offset).toBe(each.offset === 0 && resets === 0 ? 0 : each.offset)
    text = each.type === 'reset' ? '' : text + each.text
    at = { term: each.term, offset: text.length }
  }
  return { text, resets, at }
}

/** Says a word, waits, says the next, for ever. */
function words(...all: readonly string[]): { readonly model: Model; readonly next: () => Promise<void> } {
  let go = (): void => undefined
  const model: Model = async function* () {
    for (const text of all) {
      yield { type: 'text', text }
      await new Promise<void>((resolve) => (go = resolve))
    }
    yield { type: 'end', message: { role: 'assistant', content: all.join('') }, finish: 'stop' }
  }
  const next = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) await tick()
    go()
    for (let round = 0; round < 3; round++) await tick()
  }
  return { model, next }
}

describe('following a turn', () => {
  test('from its beginning, from another instance', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two ', 'three.')
    join({ model })
    const [thread, other] = [join({}, { works: false }).book.thread('t'), join({}, { works: false }).book.thread('t')]
    const turn = thread.send('Count')
    await next()
    const following = read(other.follow())
    await next()
    await next()
    await next()
    await turn.done
    expect(await following).toMatchObject({ text: 'One two three.', resets: 0 })
  })

  test('resumes from every offset', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two ', 'three.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Count')
    await next()
    await next()
    const { term } = await first(thread)
    const whole = 'One two three.'
    const following = Array.from({ length: 9 }, (_, offset) =>
      read(thread.follow({ from: { term, offset } }), whole.slice(0, offset)),
    )
    const stale = read(thread.follow({ from: { term: term - 1, offset: 5 } }), 'other')
    await next()
    await next()
    await turn.done
    for (const each of following) expect(await each).toMatchObject({ text: whole, resets: 0 })
    expect(await stale).toMatchObject({ text: whole, resets: 1 })
  })

  test('counts what is on record of the turn', async () => {
    const { join } = company()
    const { model, release } = slow('done.')
    let calls = 0
    const both: Model = (request) =>
      ++calls === 1 ? script(assistant('Looking: ', call('c', 'nothing')))(request) : model(request)
    join({ model: both })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'result') break
    const following = read(thread.follow())
    await tick()
    release()
    expect(await following).toMatchObject({ text: 'Looking: done.', resets: 0 })
  })

  test('after a take-over begins anew, wherever one was', async () => {
    const { join } = company()
    const first1 = words('Half ', 'an ', 'answer')
    const second = words('A ', 'whole ', 'one.')
    const runner = join({ model: first1.model })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    await first1.next()
    const [watching, at] = [read(thread.follow()), await first(thread)]
    await first1.next()
    join({ model: second.model })
    runner.die()
    await second.next()
    const later = read(thread.follow({ from: { term: at.term, offset: at.offset } }), 'Half ')
    for (let n = 0; n < 4; n++) await second.next()
    await turn.done
    expect(await watching).toMatchObject({ text: 'A whole one.', resets: 1 })
    expect(await later).toMatchObject({ text: 'A whole one.', resets: 1 })
  })

  test('after a take-over that ends the turn while the log is read begins anew, too', async () => {
    const { join, store, queue, clock } = company()
    const runner = join({ model: words('Word 2 word. ', 'never').model })
    const turn = join({}, { works: false }).book.thread('t').send('Go')
    for await (const event of turn) if (event.type === 'text') break
    const { term } = await store.standing('t')
    let times = 0
    const slowly: Store = {
      ...store,
      standing: async (thread) => {
        const before = await store.standing(thread)
        // The first time it finds the turn that runs, the second time the term before the log.
        if (++times !== 2) return before
        runner.die({ zombie: true })
        join({ model: script(assistant('Answer 3 of some words.')) })
        await turn.done
        return before
      },
    }
    const deaf: Feed = { publish: () => undefined, listen: async () => () => undefined }
    const reader = openBook({ store: slowly, queue, feed: deaf, clock, window: 4096 }).thread('t')
    const shown = await read(reader.follow({ from: { term, offset: 12 } }), 'Word 2 word.')
    expect(shown).toMatchObject({ text: 'Answer 3 of some words.', resets: 1 })
  })

  test('where nothing is told reads what is on record', async () => {
    const mute: Feed = { publish: () => undefined, listen: async () => () => undefined }
    const { join } = company({ feed: mute })
    const { model, release } = slow('All at once.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    thread.send('Go')
    await expect.poll(async () => (await thread.entries()).length).toBe(1)
    const [anew, on] = [read(thread.follow()), read(thread.follow({ from: { term: 0, offset: 3 } }), 'xyz')]
    await tick()
    release()
    expect(await anew).toMatchObject({ text: 'All at once.', resets: 0 })
    expect(await on).toMatchObject({ text: 'All at once.', resets: 1 })
  })

  test('where pieces are lost asks for them', async () => {
    const behind = localFeed()
    let count = 0
    const isLost = (news: FeedEvent): boolean => news.type === 'text' && news.offset > news.start && ++count % 2 === 0
    const lossy: Feed = {
      ...behind,
      publish: (thread, news) => (isLost(news) ? undefined : behind.publish(thread, news)),
    }
    const { join } = company({ feed: lossy })
    const { model, next } = words('One ', 'two ', 'three ', 'four.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    thread.send('Count')
    const seen: string[] = []
    await tick()
    const following = (async () => {
      for await (const each of thread.follow()) seen.push(each.type === 'text' ? each.text : '|')
    })()
    for (let n = 0; n < 3; n++) await next()
    // Before the answer is on record.
    expect(seen.join('')).toBe('One two three four.')
    await next()
    await following
    expect(seen.join('')).toBe('One two three four.')
  })

  test('ends at once where none runs', async () => {
    const { join } = company()
    join({ model: script('Yes.') })
    const thread = join({}, { works: false }).book.thread('t')
    expect(await read(thread.follow())).toMatchObject({ text: '' })
    await thread.send('Go').done
    expect(await read(thread.follow())).toMatchObject({ text: '' })
  })

  test('can be left, by a signal or by not going on, and the turn runs on', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    await next()
    const leaving = new AbortController()
    const following = read(thread.follow({ signal: leaving.signal }))
    await first(thread)
    leaving.abort()
    expect(await following).toMatchObject({ text: expect.stringMatching(/^One/) as string })
    await next()
    await next()
    expect(await turn.done).toMatchObject({ status: 'complete' })
  })

  test('works without a queue, in one process', async () => {
    const { model, next } = words('One ', 'two.')
    const open = book({ model })
    const turn = open.thread('t').send('Go')
    await next()
    const following = read(open.thread('t').follow())
    await next()
    await next()
    await turn.done
    expect(await following).toMatchObject({ text: 'One two.', resets: 0 })
  })

  test('never shows a note', async () => {
    const { join } = company()
    const { model, next } = words('Fine. ', '[NOTE TO SELF: ', 'canary]')
    join({ model, notes: 'block' })
    const thread = join({ notes: 'block' }, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    await next()
    const following = read(thread.follow())
    for (let n = 0; n < 3; n++) await next()
    await turn.done
    expect((await following).text.trim()).toBe('Fine.')
  })
})

/** The first piece that a new follower is shown. */
async function first(thread: Thread): Promise<Position> {
  for await (const each of thread.follow())
    if (each.type === 'text') return { term: each.term, offset: each.offset + each.text.length }
  throw new Error('Nothing is shown.')
}
