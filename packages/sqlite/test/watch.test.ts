import { sqliteStore } from '@minutebook/sqlite'
import { defineTool, localQueue, localFeed, openBook, visible, type Book, type Model, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { expect, test } from 'vitest'
import { createViewer, type Viewer } from '../../../tests/support/viewer.ts'
import { createDice, type Dice } from './support/dice.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const inFolder = temporaryFolder()
const look = defineTool({ name: 'look', parameters: { type: 'object' }, run: () => 'seen' })

/** Looks first, and answers then, word by word. */
const model: Model = async function* ({ messages }) {
  const isSecond = messages.at(-1)?.role === 'tool'
  const text = isSecond ? `I have seen it, and there were ${messages.length} messages.` : 'Let me look.'
  for (const piece of text.split(/(?<= )/)) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    yield { type: 'text', text: piece }
  }
  const calls = [{ id: `c${messages.length}`, type: 'function', function: { name: 'look', arguments: '{}' } }]
  yield {
    type: 'end',
    finish: isSecond ? 'stop' : 'calls',
    message: { role: 'assistant', content: text, ...(!isSecond && { tool_calls: calls }) } as never,
  }
}

const open = (store: Store): Book =>
  openBook({
    store,
    queue: localQueue(store),
    feed: localFeed(),
    model,
    tools: [look],
    window: 8192,
    clock: systemClock,
  })

test('who watches a thread in a file, leaves and comes back has every entry once, also after a restart', async () => {
  const path = inFolder('book.db')
  const viewers = [createViewer(), createViewer()]
  for (const life of [1, 2]) {
    using store = sqliteStore(path)
    const book = open(store)
    const stop = await book.work()
    const leaving = new AbortController()
    const dice = createDice(life)
    const watching = viewers.map((viewer, number) =>
      watch(viewer, book, number === 1 ? dice : undefined, leaving.signal),
    )
    for (let round = 0; round < 5; round++)
      await Promise.all([
        book.thread('t').send(`${life}: ${round}`, { ifBusy: 'queue' }).done,
        book.thread('t').send(`${life}: ${round}, too`, { ifBusy: 'queue' }).done,
      ])
    const shown = visible(await store.read('t'))
    expect(shown).toHaveLength(life * 40)
    await expect
      .poll(() => viewers.every(({ isResting, entries }) => isResting && entries.length >= shown.length))
      .toBe(true)
    leaving.abort()
    await Promise.all(watching)
    await stop()
    for (const { entries, complaints } of viewers) {
      expect(complaints).toEqual([])
      expect(entries).toEqual(shown)
    }
  }
  expect(viewers[0]!.seen.filter(({ type }) => type === 'text').length).toBeGreaterThan(40)
  expect(viewers[0]!.resets).toBe(0)
})

/** Watches until the signal aborts; with dice, leaves after a few events and comes back. */
async function watch(viewer: Viewer, book: Book, dice: Dice | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await viewer.watch(book.thread('t'), { signal, ...(dice && { leaveAt: 1 + dice.pick([0, 1, 2, 5, 9]) }) })
}
