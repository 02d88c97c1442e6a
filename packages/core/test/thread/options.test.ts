import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { memoryStore, openBook, visible, type ModelOptions, type SendOptions, type ThreadOptions } from 'minutebook'
import { scriptedModel, user } from '@minutebook/testing'
import { refusal } from '../../../../tests/support/refusal.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'
import { answerValue } from '../../src/turns/output.ts'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'

const Plants = z.object({ plants: z.array(z.string()), season: z.string().optional() })
const spinach = '{"plants":["spinach"]}'

describe('what is asked of an answer', () => {
  test('goes to the model and into the receipt, the message before the thread', async () => {
    const model = scriptedModel(['One.', 'Two.', 'Three.'])
    const thread = book({ model, temperature: 0.7, seed: 1 }).thread('t')
    await thread.send('a', { temperature: 0, stop: ['END'] }).done
    await thread.send('b').done
    await thread.send('c', { output: Plants }).done
    const output: unknown = expect.objectContaining({ type: 'object', required: ['plants'] })
    expect(model.requests.map(({ options }) => options)).toEqual([
      { temperature: 0, seed: 1, stop: ['END'] },
      { temperature: 0.7, seed: 1 },
      { temperature: 0.7, seed: 1, output },
    ])
    const hash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect((await thread.receipts()).map(({ options }) => options)).toEqual([
      { temperature: 0, seed: 1, stop: ['END'] },
      { temperature: 0.7, seed: 1 },
      { temperature: 0.7, seed: 1, output: { hash, sent: true } },
    ])
    const settings = (await thread.entries()).filter(({ kind }) => kind === 'settings')
    expect(settings.map(({ text }) => (JSON.parse(text) as { options: unknown }).options)).toEqual([
      { temperature: 0.7, seed: 1 },
    ])
  })

  test('is nothing if nobody asks', async () => {
    const model = scriptedModel(['One.'])
    const thread = book({ model }).thread('t')
    await thread.send('a').done
    expect(model.requests[0]).not.toHaveProperty('options')
    expect((await thread.receipts())[0]).not.toHaveProperty('options')
    expect(JSON.stringify(await thread.entries())).not.toContain('"options"')
  })

  test('is in no prompt and not shown, and goes with the message when that is erased', async () => {
    const model = scriptedModel([spinach])
    const thread = book({ model }).thread('t')
    await thread.send('Hi', { output: { type: 'object', title: 'canary' } }).done
    const entries = await thread.entries()
    expect(JSON.stringify([model.requests[0]?.messages, visible(entries)])).not.toContain('canary')
    expect(entries.filter(({ options }) => options !== undefined)).toMatchObject([{ kind: 'user', text: 'Hi' }])
    expect(await thread.verify()).toMatchObject({ ok: true })
    await thread.erase()
    expect(JSON.stringify(await thread.entries())).not.toContain('canary')
  })

  test('reaches an instance that knows nothing of it, and a book without a store', async () => {
    const { join } = company()
    const model = scriptedModel([spinach, spinach])
    const worker = join({ model })
    const sender = join({}, { works: false }).book.thread('t')
    expect(await sender.ask('Go', { seed: 7, output: Plants })).toEqual({ plants: ['spinach'] })
    await worker.stop()
    const stateless = openBook({ model, window: 4096 })
    const { output } = await stateless.answer([user('Go')], { seed: 7, output: Plants }).done
    expect(output).toEqual({ plants: ['spinach'] })
    expect(model.requests.map(({ options }) => options?.seed)).toEqual([7, 7])
  })

  test('a retry of an unfinished turn is asked otherwise only in the process that runs it', async () => {
    const store = memoryStore()
    await book({ model: scriptedModel([{ text: 'x', hang: true }]) }, store)
      .thread('t')
      .send('Go', { seed: 1 }).recorded
    const model = scriptedModel(['Done.'])
    await book({ model }, store).thread('t').retry({ seed: 2 }).done
    expect(model.requests[0]?.options).toEqual({ seed: 2 })

    const { join, store: shared } = company()
    await book({ model: scriptedModel([{ text: 'x', hang: true }]) }, shared)
      .thread('t')
      .send('Go').recorded
    const { status } = await join({}, { works: false }).book.thread('t').retry({ seed: 2 }).done
    expect(status).toBe('busy')
  })

  test('of no use is refused at once, with the option', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const bad: readonly [option: string, options: object][] = [
      ['temperature', { temperature: 2.1 }],
      ['temperature', { temperature: Number.NaN }],
      ['temperature', { temperature: '0' }],
      ['seed', { seed: 1.5 }],
      ['seed', { seed: 2 ** 53 }],
      ['stop', { stop: 'END' }],
      ['stop', { stop: Array.from({ length: 17 }, String) }],
      ['stop', { stop: [''] }],
      ['stop', { stop: ['x'.repeat(257)] }],
      ['output', { output: 'object' }],
      ['output', { output: [] }],
      ['output', { output: circle }],
      ['output', { output: { minimum: 1n } }],
      ['output', { output: { description: 'x'.repeat(65_536) } }],
      ['output', { output: z.object({ at: z.date() }) }],
      ['output', { output: { '~standard': { validate: () => ({ value: 1 }) } } }],
    ]
    for (const [option, options] of bad) {
      const thread = book({ model: scriptedModel([]) }).thread('t')
      for (const ask of [
        (): unknown => thread.send('Hi', options as SendOptions),
        (): unknown => thread.retry(options as SendOptions),
        (): unknown =>
          book({ model: scriptedModel([]), ...(options as ThreadOptions) })
            .thread('t')
            .send('Hi'),
      ]) {
        const { code, details, fix } = refusal(ask)
        expect([code, details['option'], fix !== '']).toEqual(['invalid_options', option, true])
      }
    }
    expect(
      refusal(() =>
        book({ model: scriptedModel([]) })
          .thread('t')
          .send('', { stop: Array(17).fill('x') }),
      ).fix,
    ).toMatch(/compares the end of the answer with each/)
  })
})

describe('an answer of a given form', () => {
  const answering = (...lines: readonly string[]): ReturnType<ReturnType<typeof book>['thread']> =>
    book({ model: scriptedModel(lines) }).thread('t')

  test('is checked and typed by the schema', async () => {
    const value = await answering(spinach).ask('Which?', { output: Plants })
    expectTypeOf(value).toEqualTypeOf<{ plants: string[]; season?: string | undefined }>()
    expect(value).toEqual({ plants: ['spinach'] })
    const text = await answering('Spinach.').ask('Which?', { temperature: 0 })
    expectTypeOf(text).toEqualTypeOf<string>()
    const output: NonNullable<ModelOptions['output']> = { type: 'array' }
    const list = await answering('["spinach"]').ask('Which?', { output })
    expectTypeOf(list).toEqualTypeOf<unknown>()
    expect(list).toEqual(['spinach'])
    const shouted = await answering(spinach).ask('Which?', {
      output: z.object({ plants: z.array(z.string()) }).refine(async () => true),
    })
    expect(shouted.plants).toEqual(['spinach'])
  })

  test.each([
    ['```json\n{"plants":["spinach"]}\n```'],
    ['```\n{"plants":["spinach"]}\n```\n'],
    ['  \n{"plants":["spinach"]}  '],
    ['```json\n{"plants":["spinach"]}'],
  ])('may be in a code fence: %j', async (said) => {
    const thread = answering(said)
    expect(await thread.ask('Which?', { output: Plants })).toEqual({ plants: ['spinach'] })
  })

  test.each([
    ['Spinach.', Plants, 'not JSON'],
    ['```', Plants, 'not JSON'],
    ['```json```', Plants, 'not JSON'],
    ['{"plants":["spin', Plants, 'not JSON'],
    ['{"plants":[7]}', Plants, 'plants.0'],
    ['[]', { type: 'object' }, 'another type'],
    ['1.5', { type: ['integer', 'string'] }, 'another type'],
    ['{}', { type: 'object', required: ['toString'] }, 'required property'],
  ])('that does not fit throws, with the text: %j', async (said, output, problem) => {
    const asking = answering(said).ask('Which?', { output })
    const message: unknown = expect.stringContaining(problem)
    await expect(asking).rejects.toMatchObject({ code: 'invalid_output', message, details: { text: said } })
  })

  test('is in the result of the turn, if it is JSON and was asked for', async () => {
    const thread = answering(spinach, 'Spinach.', spinach, '7')
    const { output, text } = await thread.send('a', { output: Plants }).done
    expect([output, text]).toEqual([{ plants: ['spinach'] }, spinach])
    expect(await thread.send('b', { output: Plants }).done).not.toHaveProperty('output')
    expect(await thread.send('c').done).not.toHaveProperty('output')
    expect(await thread.send('d', { output: { type: 'number' } }).done).toMatchObject({ output: 7 })
  })

  test('keeps the order of the properties, in which a model writes them', async () => {
    const model = scriptedModel(['{}'])
    const output = { type: 'object', properties: { reason: { type: 'string' }, answer: { type: 'string' } } }
    await book({ model }).thread('t').send('a', { output }).done
    expect(JSON.stringify(model.requests[0]?.options?.output)).toBe(JSON.stringify(output))
  })

  test('takes no time to read, however long', () => {
    const long = `\`\`\`json\n${'`'.repeat(1_000_000)}${' '.repeat(1_000_000)}`
    expect(canBeDoneIn(50, () => answerValue(long))).toBe(true)
  })
})
