import { defineTool, memoryStore, type Model, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'

/** Says so many words and then nothing more, until it is told to stop. */
const hangs = (text: string): Model =>
  async function* ({ signal }) {
    yield { type: 'text', text }
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
  }

describe('a removed thread', () => {
  test('is gone, and a holder of it begins anew', async () => {
    const open = book({ model: script('One.', 'Two.') })
    const thread = open.thread('t')
    await thread.send('My code is 4711').done
    expect(await open.remove('t')).toMatchObject({ thread: 't', entries: 4 })
    expect([await thread.entries(), await open.search('4711'), (await open.threads()).threads]).toEqual([[], [], []])
    expect(await thread.send('Hello').done).toMatchObject({ status: 'complete', text: 'Two.' })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant', 'receipt'])
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('ends the turn that runs on it as fenced, and writes nothing of it', async () => {
    const open = book({ model: hangs('Half an answ') })
    const turn = open.thread('t').send('Go')
    for await (const event of turn) if (event.type === 'text') await open.remove('t')
    expect(await turn.done).toMatchObject({ status: 'fenced', reason: { code: 'fenced' } })
    expect((await open.threads()).threads).toEqual([])
  })

  test.each(['removes', 'removes and writes to'])('ends a turn whose tool %s it', async (what) => {
    const store = memoryStore()
    const remove = defineTool({
      name: 'remove',
      parameters: {},
      run: async () => {
        await store.remove('t')
        if (what !== 'removes')
          await book({ model: script('New.') }, store)
            .thread('t')
            .send('New').done
        return 'done'
      },
    })
    const open = book({ model: script(assistant(null, call('c', 'remove')), 'Done.'), tools: [remove] }, store)
    expect(await open.thread('t').send('Go').done).toMatchObject({ status: 'fenced' })
    expect((await open.thread('t').messages()).map(({ content }) => content)).toEqual(
      what === 'removes' ? [] : ['New', 'New.'],
    )
  })

  test('tells those who watch it, also if a new thread has its name', async () => {
    const open = book({ model: script('One.', 'Two.') })
    const thread = open.thread('t')
    await thread.send('first').done
    const seen: string[] = []
    const watch = async (): Promise<void> => {
      for await (const event of thread.watch()) {
        seen.push(event.type)
        if (event.type !== 'end') continue
        await open.remove('t')
        await thread.send('second').done
      }
    }
    await expect(watch()).rejects.toMatchObject({ code: 'thread_removed' })
    expect(seen).toEqual(['entry', 'entry', 'end'])
  })
})

describe('with several instances, a removed thread', () => {
  test('ends a turn of another instance for its sender, and nobody is woken for ever', async () => {
    const { join, store } = company()
    const worker = join({ model: hangs('Half') })
    const sender = join({}, { works: false }).book
    const turn = sender.thread('t').send('Go')
    for await (const event of turn) if (event.type === 'text') await sender.remove('t')
    expect(await turn.done).toMatchObject({ status: 'fenced' })
    expect(await store.read('t')).toEqual([])
    worker.die({ zombie: false })
    join({ model: script('Fine.') })
    const thread: Thread = sender.thread('t')
    expect(await thread.send('Hello').done).toMatchObject({ status: 'complete', text: 'Fine.' })
  })

  test('takes back the messages that wait in it', async () => {
    const { join } = company()
    join({ model: hangs('Half') })
    const sender = join({}, { works: false }).book
    const first = sender.thread('t').send('Go')
    for await (const event of first) if (event.type === 'text') break
    const second = sender.thread('t').send('And this', { ifBusy: 'queue' })
    expect(await second.recorded).toMatchObject({ kind: 'pending' })
    await sender.remove('t')
    expect(await second.done).toMatchObject({ status: 'cancelled' })
  })
})
