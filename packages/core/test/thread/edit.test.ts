import { openBook, memoryStore, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { downAtFirst } from '../support/down-model.ts'
import { script } from '../support/scripted.ts'

const texts = async (thread: Thread, head?: string): Promise<string[]> =>
  (await thread.visible({ head })).map(({ text }) => text)

describe('an edited message', () => {
  test('takes the place of another, and both can be shown', async () => {
    const thread = book({ model: script('One.', 'Two.', 'Three.') }).thread('t')
    await thread.send('1').done
    await thread.send('2').done
    const [first, , second] = await thread.visible()
    expect(await thread.edit(second!.id, '2, edited').done).toMatchObject({ status: 'complete', text: 'Three.' })
    expect(await texts(thread)).toEqual(['1', 'One.', '2, edited', 'Three.'])
    const shown = await thread.visible({ siblings: true })
    expect(shown.map(({ siblings }) => siblings?.length ?? 0)).toEqual([0, 0, 2, 0])
    const [other, own] = shown[2]!.siblings!
    expect([other!.id, own!.id]).toEqual([second!.id, shown[2]!.id])
    expect(await texts(thread, other!.head)).toEqual(['1', 'One.', '2', 'Two.'])
    expect(await thread.edit(first!.id, '1, edited').done).toMatchObject({ status: 'complete' })
    expect(await texts(thread)).toHaveLength(2)
  })

  test('must replace a message of this thread', async () => {
    const thread = book({ model: script('One.') }).thread('t')
    await thread.send('1').done
    const answer = (await thread.visible())[1]!
    expect(await thread.edit(answer.id, 'x').done).toMatchObject({ status: 'failed', reason: { code: 'not_editable' } })
    expect(await thread.edit('none', 'x').done).toMatchObject({ status: 'failed', reason: { code: 'unknown_entry' } })
  })

  test('is answered by any instance', async () => {
    const { join } = company()
    join({ model: script('One.', 'Two.') })
    const thread = join({}, { works: false }).book.thread('t')
    await thread.send('1', { id: 'a' }).done
    await thread.edit((await thread.visible())[0]!.id, '1, edited', { id: 'b' }).done
    expect(await texts(thread)).toEqual(['1, edited', 'Two.'])
    expect((await thread.visible())[0]).toMatchObject({ sentId: 'b' })
  })
})

test('any question can be answered again, by its own id or by that of its answer', async () => {
  const thread = book({ model: script('One.', 'Two.', 'Again.', 'Once more.') }).thread('t')
  await thread.send('1').done
  await thread.send('2').done
  const [asked, answer] = await thread.visible()
  await thread.retry({ of: asked!.id }).done
  expect(await texts(thread)).toEqual(['1', 'Again.'])
  await thread.retry({ of: answer!.id }).done
  expect(await texts(thread)).toEqual(['1', 'Once more.'])
  const siblings = (await thread.visible({ siblings: true }))[1]!.siblings!
  expect(await Promise.all(siblings.map(({ head }) => texts(thread, head)))).toEqual([
    ['1', 'One.', '2', 'Two.'],
    ['1', 'Again.'],
    ['1', 'Once more.'],
  ])
  expect(await thread.retry({ of: 'none' }).done).toMatchObject({ reason: { code: 'unknown_entry' } })
})

test('a turn that failed can be answered again by the id of what people see of its end', async () => {
  const { model, recover } = downAtFirst('Yes.')
  const thread = book({ model }).thread('t')
  await thread.send('Well?').done
  recover()
  const stop = (await thread.visible()).at(-1)!
  expect(stop.kind).toBe('stop')
  expect(await thread.retry({ of: stop.id }).done).toMatchObject({ status: 'complete', text: 'Yes.' })
})

test('messages for a client have what people see, and nothing else', async () => {
  const thinking = {
    ...assistant('', call('c', 'look'), call('n', 'note_to_self', { note: 'canary' })),
    thinking: 'canary',
  }
  const thread = openBook({
    store: memoryStore(),
    window: 4096,
    system: 'canary',
    notes: 'tool',
    tools: [{ name: 'look', parameters: { type: 'object' }, run: () => 'found' }],
    model: script(thinking, 'Done.'),
  }).thread('t')
  await thread.send('Look.').done
  const messages = await thread.messages()
  expect(JSON.stringify(messages)).not.toContain('canary')
  expect(messages).toEqual([
    { role: 'user', content: 'Look.' },
    expect.objectContaining({ role: 'assistant', content: '', tool_calls: [expect.objectContaining({ id: 'c' })] }),
    expect.objectContaining({ role: 'tool', tool_call_id: 'c', content: 'found' }),
    expect.objectContaining({ role: 'assistant', content: 'Done.' }),
  ])
  const other = book({ model: script('Yes.') }).thread('other')
  await other.send([...messages, { role: 'user', content: 'Really?' }]).done
  expect((await other.messages()).slice(0, 4)).toEqual(messages)
})
