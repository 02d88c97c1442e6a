import { memoryStore, openBook } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { words } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'

describe('a fork', () => {
  test('of a branch that came later has the settings of its prompts', async () => {
    const thread = book({ model: script('A', 'B'), system: 'Rules.' }).thread('t')
    await thread.send('one').done
    await thread.send('other', { after: null }).done
    expect(await (await thread.fork({ as: 'f' })).verify()).toMatchObject({ ok: true, prompts: 1, underivable: 0 })
  })

  test('stands where it was forked, whatever came of that entry later', async () => {
    const thread = book({ model: script('A', new Error('down'), 'B') }).thread('t')
    await thread.send('one').done
    const at = (await thread.entries()).find(({ kind }) => kind === 'assistant')!.id
    await thread.retry().done
    const fork = await thread.fork({ as: 'f', at })
    expect((await fork.visible()).map(({ text }) => text)).toEqual(['one', 'A'])
    await fork.send('two').done
    expect((await fork.visible()).map(({ text }) => text)).toEqual(['one', 'A', 'two', 'B'])
    expect(await fork.verify()).toMatchObject({ ok: true, prompts: 2, underivable: 0 })
  })

  test('has the prompts of its past, also where they tell the numbers of entries', async () => {
    const model = script(
      ({ messages }) => `Answer ${messages.length}: the plum tree stands by the old wall and wants no water.`,
    )
    const thread = openBook({ store: memoryStore(), model, window: 90, counter: words }).thread('t')
    await thread.send('An aside that goes nowhere.').done
    for (let turn = 1; turn <= 6; turn++)
      await thread.send(
        `Question ${turn}: where does the plum tree stand, and what does it want?`,
        turn === 1 ? { after: null } : {},
      ).done
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/#\d+ /)
    const receipts = await thread.receipts()
    expect(await (await thread.fork({ as: 'f' })).verify()).toMatchObject({
      ok: true,
      prompts: receipts.length,
      underivable: 0,
    })
  })

  test('keeps what was revoked revoked, on whatever branch that was', async () => {
    const model = script('One. [NOTE TO SELF: hostile]', 'Two.', 'Three.')
    const thread = book({ model, notes: 'block' }).thread('t')
    await thread.send('a').done
    const [at] = await thread.branches()
    await thread.send('b').done
    await thread.revoke((await thread.entries()).find(({ kind }) => kind === 'note')!.id)
    const fork = await thread.fork({ as: 'f', at: at!.head })
    await fork.send('c').done
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('hostile')
    expect(await fork.verify()).toMatchObject({ ok: true, prompts: 2, underivable: 0 })
  })

  test('is run like the thread that it came from', async () => {
    const thread = openBook({ store: memoryStore() }).thread('t', {
      model: script('A', 'B'),
      window: 4096,
      system: 'Rules.',
    })
    await thread.send('one').done
    expect(await (await thread.fork({ as: 'f' })).send('two').done).toMatchObject({ status: 'complete', text: 'B' })
  })

  test('needs a name of its own', async () => {
    const open = book({ model: script('A', 'B') })
    const thread = open.thread('t')
    await thread.send('one').done
    await expect(thread.fork({ as: 't' })).rejects.toMatchObject({ code: 'thread_exists' })
    const fork = await thread.fork({ as: 'f' })
    await thread.fork({ as: 'f' })
    await fork.send('two').done
    await expect(thread.fork({ as: 'f' })).rejects.toMatchObject({ code: 'thread_exists' })
  })

  test('takes no name of a thread that is as long and says something else', async () => {
    const open = book({ model: script('A', 'A') })
    await Promise.all([open.thread('t').send('one').done, open.thread('f').send('two').done])
    await expect(open.thread('t').fork({ as: 'f' })).rejects.toMatchObject({ code: 'thread_exists' })
    expect((await open.thread('f').visible()).map(({ text }) => text)).toEqual(['two', 'A'])
  })

  test('does not bring back what another process has erased', async () => {
    const store = memoryStore()
    const thread = openBook({ store, window: 4096, model: script('Fine.') }).thread('t')
    await thread.send('My code is 4711').done
    await openBook({ store }).thread('t').erase()
    await thread.fork({ as: 'f' })
    expect(JSON.stringify(await store.read('f'))).not.toContain('4711')
  })

  test('leaves behind what waits', async () => {
    const store = memoryStore()
    const open = openBook({ store, window: 4096, model: script('A', 'B') })
    await open.thread('t').send('one').done
    const first = open.thread('t').send('two')
    const second = open.thread('t').send('three', { ifBusy: 'queue' })
    await expect.poll(async () => (await store.read('t')).some(({ kind }) => kind === 'pending')).toBe(true)
    await open.thread('t').fork({ as: 'f' })
    expect((await store.read('f')).some(({ kind }) => kind === 'pending')).toBe(false)
    await Promise.all([first.done, second.done])
  })
})

describe('a revocation', () => {
  test.each(['settings', 'receipt', 'user', 'assistant'] as const)('is not for a %s entry', async (kind) => {
    const thread = book({ model: script('A') }).thread('t')
    await thread.send('one').done
    const entry = (await thread.entries()).find((known) => known.kind === kind)!
    await expect(thread.revoke(entry.id)).rejects.toMatchObject({ code: 'not_revocable' })
  })

  test('may be of a note on another branch', async () => {
    const thread = book({ model: script('A [NOTE TO SELF: x]', 'B'), notes: 'block' }).thread('t')
    await thread.send('one').done
    const note = (await thread.entries()).find(({ kind }) => kind === 'note')!
    await thread.send('other', { after: null }).done
    await thread.revoke(note.id)
    const [, older] = await thread.branches()
    expect((await thread.entries({ head: older!.head })).map(({ kind }) => kind)).toContain('revocation')
  })
})
