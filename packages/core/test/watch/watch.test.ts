import { localFeed, memoryStore, visible, type Feed, type Model, type Thread } from 'minutebook'
import { entryOf, type FeedEvent } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { readPosition } from '../../src/turns/position.ts'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { createViewer, type Viewer } from '../../../../tests/support/viewer.ts'

/** Says a word, waits, says the next. */
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
    await rounds(4)
    go()
    await rounds(4)
  }
  return { model, next }
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await tick()
}

/** What was seen, in short. */
function told({ seen }: Viewer): string[] {
  return seen.map((event) =>
    event.type === 'entry'
      ? `${event.entry.kind}: ${event.entry.text}`
      : event.type === 'text'
        ? `+${event.text}`
        : event.type,
  )
}

/** The entries, and the ends of turns, until the thread rests. */
async function toRest(thread: Thread, from = 'now'): Promise<string[]> {
  const lines: string[] = []
  for await (const event of thread.watch({ from, until: 'rest' })) {
    if (event.type === 'entry') lines.push(event.entry.text)
    if (event.type === 'end') lines.push(`end: ${event.result.text}`)
  }
  return lines
}

/** Watches from the beginning until the test is over. */
function watching(thread: Thread): Viewer & { leave(): Promise<void> } {
  const viewer = createViewer()
  const leaving = new AbortController()
  const over = viewer.watch(thread, { signal: leaving.signal })
  return Object.assign(Object.create(viewer, {}) as Viewer, {
    leave: async () => {
      leaving.abort()
      await over
      expect(viewer.complaints).toEqual([])
    },
  })
}

describe('watching a thread', () => {
  test('from another instance, over several turns', async () => {
    const { join } = company()
    join({ model: script('Hello.', 'Still here.') })
    const [thread, other] = [join({}, { works: false }).book.thread('t'), join({}, { works: false }).book.thread('t')]
    const viewer = watching(other)
    await rounds(4)
    await thread.send('Hi').done
    await rounds(8)
    await thread.send('And?').done
    await expect.poll(() => viewer.seen.filter(({ type }) => type === 'end')).toHaveLength(2)
    await viewer.leave()
    expect(told(viewer).filter((line) => !line.startsWith('+'))).toEqual([
      'user: Hi',
      'assistant: Hello.',
      'end',
      'user: And?',
      'assistant: Still here.',
      'end',
    ])
    expect(viewer.seen.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toMatch(
      /^(Hello\.)?(Still here\.)?$/,
    )
  })

  test('what was said long before comes as entries only, with a rest between turns', async () => {
    const open = book({ model: script('One.', 'Two.') })
    await open.thread('t').send('1').done
    await open.thread('t').send('2').done
    const viewer = watching(open.thread('t'))
    await expect.poll(() => viewer.isResting && viewer.entries.length === 4).toBe(true)
    await viewer.leave()
    expect(told(viewer)).toEqual(['user: 1', 'assistant: One.', 'end', 'user: 2', 'assistant: Two.', 'end'])
  })

  test('an edited message, and another answer to it, take the place of what they replace', async () => {
    const open = book({ model: script('One.', 'Two.', 'Three.', 'Four.') })
    const thread = open.thread('t')
    await thread.send('1').done
    const viewer = watching(thread)
    const sees = (...lines: readonly string[]): Promise<void> =>
      expect.poll(() => viewer.entries.map(({ text }) => text)).toEqual(lines)
    await thread.send('2').done
    await sees('1', 'One.', '2', 'Two.')
    const edited = (await thread.visible())[2]!
    await thread.send('2, edited', { after: edited.parent }).done
    await sees('1', 'One.', '2, edited', 'Three.')
    await thread.retry().done
    await sees('1', 'One.', '2, edited', 'Four.')
    expect(viewer.entries).toEqual(await thread.visible())
    await viewer.leave()
    const late = watching(thread)
    await expect.poll(() => late.entries).toEqual(await thread.visible())
    await late.leave()
  })

  test('text comes as it is written, and then the answer in its place', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two ', 'three.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(join({}, { works: false }).book.thread('t'))
    const turn = thread.send('Count')
    await next()
    expect(viewer.text).toBe('One two ')
    await next()
    await next()
    await turn.done
    await expect.poll(() => viewer.isResting && viewer.entries.length === 2).toBe(true)
    await viewer.leave()
    expect(told(viewer).slice(-6)).toEqual([
      'user: Count',
      '+One ',
      '+two ',
      '+three.',
      'assistant: One two three.',
      'end',
    ])
    expect(viewer.resets).toBe(0)
  })

  test('each model call of a turn has text of its own, and results come between', async () => {
    const { join } = company()
    let calls = 0
    const second = words('And ', 'so.')
    join({
      model: (request) =>
        ++calls === 1 ? script(assistant('Looking.', call('c', 'nothing')))(request) : second.model(request),
    })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(thread)
    const turn = thread.send('Go')
    await rounds(10)
    await second.next()
    await second.next()
    await turn.done
    await expect.poll(() => viewer.isResting && viewer.entries.length === 4).toBe(true)
    await viewer.leave()
    expect(viewer.entries.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(viewer.seen.flatMap((event) => (event.type === 'text' ? [event.offset] : []))).toContain(4)
  })

  test('comes back where it was, at any position, and sees nothing twice', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two ', 'three.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const whole = watching(thread)
    thread.send('Count')
    for (let n = 0; n < 4; n++) await next()
    await expect.poll(() => whole.isResting && whole.entries.length === 2).toBe(true)
    await whole.leave()
    for (const [index, { position }] of whole.seen.entries()) {
      const viewer = createViewer(position)
      const leaving = new AbortController()
      // What was on the screen there.
      const before = whole.seen.slice(0, index + 1)
      const text = before
        .slice(before.findLastIndex(({ type }) => type !== 'text') + 1)
        .map((event) => (event.type === 'text' ? event.text : ''))
        .join('')
      const over = viewer.watch(thread, { signal: leaving.signal })
      // One who was told of the end is not told again.
      if (index < whole.seen.length - 1) await expect.poll(() => viewer.isResting).toBe(true)
      leaving.abort()
      await over
      const shown = viewer.seen.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
      if (text !== '') expect(text + shown).toBe('One two three.')
      expect([
        ...before.flatMap((event) => (event.type === 'entry' ? [event.entry.id] : [])),
        ...viewer.entries.map(({ id }) => id),
      ]).toEqual(whole.entries.map(({ id }) => id))
      expect(viewer.resets).toBe(0)
    }
  })

  test('after a take-over is told to forget, under the new term, and then has what is on record', async () => {
    const { join } = company()
    const [first, second] = [words('Half ', 'an ', 'answer'), words('A ', 'whole ', 'one.')]
    const runner = join({ model: first.model })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(thread)
    const left = createViewer()
    const turn = thread.send('Go')
    await first.next()
    await left.watch(thread, { leaveAt: 2 })
    expect(left.text).toBe('Half an ')
    join({ model: second.model })
    runner.die()
    await second.next()
    const leaving = new AbortController()
    const back = left.watch(thread, { signal: leaving.signal })
    for (let n = 0; n < 3; n++) await second.next()
    await turn.done
    for (const each of [viewer, left]) {
      await expect.poll(() => each.isResting && each.entries.length === 2).toBe(true)
      expect(each.resets).toBe(1)
      const reset = each.seen.findIndex(({ type }) => type === 'reset')
      const after = each.seen.slice(reset + 1).flatMap((event) => (event.type === 'text' ? [event] : []))
      expect(after.map(({ text }) => text).join('')).toBe('A whole one.')
      expect(new Set([each.seen[reset], ...after].map((event) => readPosition(event!.position).term)).size).toBe(1)
    }
    leaving.abort()
    await back
    await viewer.leave()
    expect(left.complaints).toEqual([])
  })

  test('learns of a take-over also where nobody tells of it', async () => {
    const behind = localFeed()
    let isMute = false
    const feed: Feed = { ...behind, publish: (thread, news) => (isMute ? undefined : behind.publish(thread, news)) }
    const { join } = company({ feed })
    const [first, second] = [words('Half ', 'an ', 'answer'), words('', 'A whole one.')]
    const runner = join({ model: first.model })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(thread)
    thread.send('Go')
    await first.next()
    expect(viewer.text).toBe('Half an ')
    isMute = true
    join({ model: second.model })
    runner.die()
    await expect.poll(() => viewer.resets).toBe(1)
    expect(viewer.text).toBe('')
    await viewer.leave()
  })

  test('a turn that is cancelled in the middle of its text leaves the part that was shown', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two ', 'three.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(thread)
    const turn = thread.send('Count')
    await next()
    expect(await thread.cancel()).toBe(true)
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
    await expect.poll(() => viewer.isResting && viewer.entries.length === 3).toBe(true)
    await viewer.leave()
    expect(told(viewer).slice(-4)).toEqual(['+two ', 'assistant: One two ', 'stop: The turn was cancelled.', 'end'])
  })

  test('where nothing is told, or pieces are lost, the record tells', async () => {
    const behind = localFeed()
    let count = 0
    const losing: readonly ((news: FeedEvent) => boolean)[] = [
      () => true,
      ({ type }) => type === 'text' && ++count % 2 === 0,
      ({ type }) => type === 'grown',
    ]
    for (const isLost of losing) {
      const feed: Feed = {
        ...behind,
        publish: (thread, news) => (isLost(news) ? undefined : behind.publish(thread, news)),
      }
      const { join, store } = company({ feed })
      const { model, next } = words('One ', 'two ', 'three ', 'four.')
      join({ model })
      const thread = join({}, { works: false }).book.thread('t')
      const viewer = watching(thread)
      thread.send('Count')
      for (let n = 0; n < 5; n++) await next()
      await expect.poll(() => viewer.isResting && viewer.entries.length === 2).toBe(true)
      await viewer.leave()
      expect(viewer.entries).toEqual(visible(await store.read('t')))
    }
  })

  test('where a piece is lost asks for it, before the answer is on record', async () => {
    const behind = localFeed()
    let count = 0
    const feed: Feed = {
      ...behind,
      publish: (thread, news) =>
        news.type === 'text' && news.text !== '' && ++count === 2 ? undefined : behind.publish(thread, news),
    }
    const { join } = company({ feed })
    const { model, next } = words('One ', 'two ', 'three ', 'four.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const viewer = watching(thread)
    await rounds(4)
    thread.send('Count')
    for (let n = 0; n < 3; n++) await next()
    expect(viewer.text).toBe('One two three four.')
    await viewer.leave()
  })

  test('sees the text of a turn that ends one which a crash had cut short', async () => {
    const store = memoryStore()
    await store.append('t', [entryOf({ role: 'user', content: 'Never answered' })])
    const { model, next } = words('One ', 'two.')
    const open = book({ model }, store)
    const viewer = watching(open.thread('t'))
    await rounds(4)
    const turn = open.thread('t').send('Count')
    await next()
    expect(viewer.text).toBe('One two.')
    await next()
    await turn.done
    await viewer.leave()
  })

  test('someone slow gets what came meanwhile in few pieces', async () => {
    const { join } = company()
    const many = Array.from({ length: 40 }, (_, number) => `${number} `)
    const { model, next } = words(...many)
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    const iterator = thread.watch()[Symbol.asyncIterator]()
    thread.send('Count')
    await iterator.next()
    for (let n = 0; n < 20; n++) await next()
    const pieces: string[] = []
    while (pieces.join('').length < many.slice(0, 20).join('').length) {
      const { value } = await iterator.next()
      if (value?.type === 'text') pieces.push(value.text)
    }
    expect(pieces.length).toBeLessThan(4)
    await iterator.return?.()
  })

  test.each(['', 'NaN.0.0', '0.5.0', '-1.0.0', '0.0', '0.0.0.0', '1e3.0.0', '0.0.0.end.end', `${'9'.repeat(16)}.0.0`])(
    'a position that no thread has is refused at once: %j',
    async (from) => {
      const open = book({ model: script('One.') })
      await open.thread('t').send('1').done
      await expect(open.thread('t').watch({ from })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        code: 'invalid_position',
      })
    },
  )

  test('until the thread rests: from the turn that runs, and at once if none runs', async () => {
    const { join } = company()
    const { model, next } = words('One ', 'two.')
    join({ model })
    const thread = join({}, { works: false }).book.thread('t')
    expect(await toRest(thread)).toEqual(['end: '])
    const turn = thread.send('Count')
    await next()
    const [following, second] = [toRest(thread), thread.send('Again', { ifBusy: 'queue' })]
    let isOver = false
    void Promise.all([turn.done, second.done]).then(() => (isOver = true))
    while (!isOver) await next()
    expect(await following).toEqual(['Count', 'One two.', 'end: One two.', 'Again', 'One two.', 'end: One two.'])
    expect(await toRest(thread)).toEqual(['end: One two.'])
  })

  test('one who was told of the end is not told again, and one who waits for it is', async () => {
    const open = book({ model: script('One.') })
    await open.thread('t').send('1').done
    let from: string | undefined
    for await (const { position } of open.thread('t').watch({ until: 'rest' })) from = position
    const viewer = createViewer(from)
    const leaving = new AbortController()
    const over = viewer.watch(open.thread('t'), { signal: leaving.signal })
    await rounds(8)
    leaving.abort()
    await over
    expect(viewer.seen).toEqual([])
    expect(await toRest(open.thread('t'), from)).toEqual(['end: One.'])
  })

  test('one who shows a page of a thread at rest is told nothing, until something is said', async () => {
    const open = book({ model: script('One.', 'Two.') })
    const thread = open.thread('t')
    const empty = await thread.page()
    expect(empty.entries).toEqual([])
    await thread.send('1').done
    const { entries, position } = await thread.page()
    expect(entries).toEqual(await thread.visible())
    const viewer = createViewer(position)
    const leaving = new AbortController()
    const over = viewer.watch(thread, { signal: leaving.signal })
    await rounds(8)
    expect(viewer.seen).toEqual([])
    await thread.send('2').done
    await rounds(8)
    leaving.abort()
    await over
    expect(viewer.entries.map(({ text }) => text)).toEqual(['2', 'Two.'])
    expect(await toRest(thread, empty.position)).toEqual(['1', 'One.', 'end: One.', '2', 'Two.', 'end: Two.'])
  })

  test('a position of another thread is refused, and an aborted signal ends it at once', async () => {
    const open = book({ model: script('One.') })
    await open.thread('t').send('1').done
    await expect(open.thread('t').watch({ from: '99.0.0' })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'invalid_position',
    })
    expect(await open.thread('t').watch({ signal: AbortSignal.abort() })[Symbol.asyncIterator]().next()).toEqual({
      done: true,
      value: undefined,
    })
  })
})
