import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool, memoryStore, type Store, type TurnEvent } from 'minutebook'
import { scriptedModel, type ScriptedLine, type ScriptedModel } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { faultyStore } from '../support/faulty-store.ts'

const Plants = z.object({ plants: z.array(z.string()) })
const spinach = '{"plants":["spinach"]}'
const look = defineTool({ name: 'look', mayRepeat: true, run: () => 'seen' })
const looking: ScriptedLine = { text: 'I look.', calls: [{ name: 'look' }] }

/** Whether each call had the form, and could use tools. */
const asked = ({ requests }: ScriptedModel): (string | undefined)[][] =>
  requests.map(({ options, toolChoice }) => [options?.output && 'form', toolChoice ?? 'tools'])

const threadWith = (
  model: ScriptedModel,
  store: Store = memoryStore(),
): ReturnType<ReturnType<typeof book>['thread']> => book({ model, tools: [look] }, store).thread('t')

async function eventsOf(turn: AsyncIterable<TurnEvent>): Promise<string[]> {
  const events: string[] = []
  for await (const event of turn)
    events.push(event.type === 'receipt' ? event.receipt.outcome : event.type === 'text' ? event.text : event.type)
  return events
}

describe('an answer of a given form, with tools', () => {
  test('that fits without being told is the answer', async () => {
    const model = scriptedModel([looking, spinach])
    const thread = threadWith(model)
    expect(await thread.ask('Which?', { output: Plants })).toEqual({ plants: ['spinach'] })
    expect(asked(model)).toEqual([
      [undefined, 'tools'],
      [undefined, 'tools'],
    ])
    expect((await thread.receipts()).map(({ options }) => options?.output?.sent)).toEqual([false, false])
  })

  test('that does not fit is not recorded, and the same prompt is sent once more with the form', async () => {
    const model = scriptedModel([looking, { text: 'Spinach, I think.', usage: { prompt: 5 } }, spinach])
    const thread = threadWith(model)
    const turn = thread.send('Which?', { seed: 7, output: Plants })
    expect(await eventsOf(turn)).toEqual([
      'I look.',
      'calls',
      'call',
      'result',
      'unfit',
      '{"plants":["spinach"]}',
      'stop',
      'end',
    ])
    expect(await turn.done).toMatchObject({ status: 'complete', text: spinach, output: { plants: ['spinach'] } })
    expect(asked(model)).toEqual([
      [undefined, 'tools'],
      [undefined, 'tools'],
      ['form', 'none'],
    ])
    expect(model.requests[2]).toMatchObject({ options: { seed: 7 }, tools: model.requests[1]?.tools })
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages)
    const receipts = await thread.receipts()
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['calls', 'unfit', 'stop'])
    expect(receipts[1]?.hash).toBe(receipts[2]?.hash)
    // The server has this prompt in its cache.
    expect(receipts[2]?.tokens.reused).toBeGreaterThan(receipts[1]?.tokens.reused ?? Infinity)
    expect(JSON.stringify(await thread.entries())).not.toContain('I think')
    expect((await thread.verify()).ok).toBe(true)
  })

  test.each([true, false])(
    'goes on with the form after a crash between the two calls (written: %s)',
    async (written) => {
      const store = memoryStore()
      const own = faultyStore(store)
      const first = scriptedModel(['Spinach.', { text: 'x', hang: true }])
      const thread = threadWith(first, own)
      // Claim, message, and the receipt of the first call.
      own.dieAt(written ? 4 : 3, { written: false, silent: false })
      const turn = thread.send('Which?', { output: Plants })
      if (written) await expect.poll(() => first.requests.length).toBe(2)
      else await turn.done
      const second = scriptedModel([spinach])
      await threadWith(second, store).resume().done
      expect(asked(second)).toEqual([written ? ['form', 'none'] : [undefined, 'tools']])
    },
  )

  test('another answer to the same question may use its tools again', async () => {
    const model = scriptedModel(['Spinach.', spinach, looking, spinach])
    const thread = threadWith(model)
    await thread.send('Which?', { output: Plants }).done
    await thread.retry().done
    expect(asked(model).slice(2)).toEqual([
      [undefined, 'tools'],
      [undefined, 'tools'],
    ])
  })

  test('is followed elsewhere without the text that did not count', async () => {
    const { join } = company()
    const worker = join({ model: scriptedModel(['Spinach, I think.', spinach]), tools: [look] })
    const sender = join({}, { works: false }).book.thread('t')
    const watched: string[] = []
    const turn = sender.send('Which?', { output: Plants })
    for await (const event of sender.watch({ until: 'rest' }))
      if (event.type === 'text' || event.type === 'entry')
        watched.push(event.type === 'text' ? event.text : event.entry.text)
    let text = ''
    for await (const piece of turn.text) text += piece
    await worker.stop()
    expect([text, (await turn.done).output]).toEqual([spinach, { plants: ['spinach'] }])
    expect(watched.join('')).not.toContain('think')
  })

  test('whose model fails, or is cut off, ends as without a form', async () => {
    const down = scriptedModel(['Spinach.', new Error('down')])
    const failed = threadWith(down)
    expect((await failed.send('Which?', { output: Plants }).done).status).toBe('failed')
    const cut = threadWith(scriptedModel([{ text: 'Spin', finish: 'length' }]))
    expect(await cut.send('Which?', { output: Plants }).done).toMatchObject({ status: 'partial', text: 'Spin' })
    const { status, reason } = await book({ model: scriptedModel(['Spinach.']), tools: [look], steps: 1 })
      .thread('t')
      .send('Which?', { output: Plants }).done
    expect([status, reason?.code]).toEqual(['failed', 'too_many_steps'])
  })

  test('that is cancelled while it may still not count leaves no text', async () => {
    const model = scriptedModel([{ text: 'Spinach, I', hang: true }])
    const thread = threadWith(model)
    const turn = thread.send('Which?', { output: Plants })
    await expect.poll(() => model.requests.length).toBe(1)
    turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled', text: '', answer: null })
  })

  test('that fits only when asked otherwise throws what is wrong', async () => {
    const asking = threadWith(scriptedModel(['Spinach.', 'Spinach!'])).ask('Which?', { output: Plants })
    await expect(asking).rejects.toMatchObject({ code: 'invalid_output', details: { text: 'Spinach!' } })
  })
})
