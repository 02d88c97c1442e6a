import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineTool, memoryStore, openBook, visible, type Model, type Tool } from 'minutebook'
import { scriptedModel, user, type ScriptedLine } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const Asker = z.object({ user: z.string() })
const whoami: ScriptedLine[] = [{ calls: [{ name: 'whoami' }] }, 'Done.']

/** A tool that notes who asks. */
function noting(seen: string[]): Tool<unknown, { user: string }> {
  return defineTool({
    name: 'whoami',
    context: Asker,
    mayRepeat: true,
    run: (_, { context }) => {
      expectTypeOf(context).toEqualTypeOf<{ user: string }>()
      seen.push(context.user)
    },
  })
}

describe('the context of a turn', () => {
  test('reaches its tools: of a message at once, of one that waited, and of another answer', async () => {
    const seen: string[] = []
    const model = scriptedModel([...whoami, ...whoami, ...whoami])
    const thread = book({ model, tools: [noting(seen)] }).thread('t')
    await Promise.all([
      thread.send('One', { context: { user: 'ann' } }).done,
      thread.send('Two', { context: { user: 'bob' }, ifBusy: 'queue' }).done,
    ])
    await thread.retry().done
    expect(seen).toEqual(['ann', 'bob', 'bob'])
  })

  test.each(['ann', undefined])(
    'of a message that waits is not that of the turn before it, sent with %s',
    async (name) => {
      const seen: unknown[] = []
      let begin = (): void => undefined
      const waits = new Promise<void>((resolve) => (begin = resolve))
      const lines = scriptedModel([...whoami, 'Two.'])
      const model: Model = async function* (request) {
        await waits
        yield* lines(request)
      }
      const tool = defineTool({ name: 'whoami', run: (_, { context }) => void seen.push(context) })
      const thread = book({ model, tools: [tool] }).thread('t')
      const first = thread.send('One', name === undefined ? {} : { context: { user: name } })
      await first.recorded
      const second = thread.send('Two', { context: { user: 'bob' }, ifBusy: 'queue' })
      await second.recorded
      begin()
      await Promise.all([first.done, second.done])
      expect(seen).toEqual([name === undefined ? undefined : { user: name }])
    },
  )

  test('is recorded, so a turn has it after a crash and on another instance', async () => {
    const seen: string[] = []
    const tools = [noting(seen)]
    const store = memoryStore()
    await book({ model: scriptedModel([{ text: 'x', hang: true }]) }, store)
      .thread('t')
      .send('Go', { context: { user: 'ann' } }).recorded
    for await (const { turn } of book({ model: scriptedModel(whoami), tools }, store).resume()) await turn.done

    const { join } = company()
    const worker = join({ model: scriptedModel(whoami), tools })
    await join({}, { works: false })
      .book.thread('t')
      .send('Go', { context: { user: 'bob' } }).done
    await worker.stop()
    expect(seen).toEqual(['ann', 'bob'])
  })

  test('is in no prompt and not shown, and goes with the message when that is erased', async () => {
    const model = scriptedModel([...whoami])
    const thread = book({ model, tools: [noting([])] }).thread('t')
    await thread.send('Hi', { context: { user: 'canary' } }).done
    const asked = JSON.stringify(model.requests)
    const entries = await thread.entries()
    expect(asked + JSON.stringify(visible(entries))).not.toContain('canary')
    expect(entries.filter(({ context }) => context !== undefined)).toMatchObject([{ kind: 'user', text: 'Hi' }])
    expect(await thread.verify()).toMatchObject({ ok: true })
    await thread.erase()
    expect(JSON.stringify(await thread.entries())).not.toContain('canary')
  })

  test('of the same words in the same place is the one that they were last sent with, and is erased with them', async () => {
    const seen: string[] = []
    const model = scriptedModel([...whoami, ...whoami])
    const thread = book({ model, tools: [noting(seen)] }).thread('t')
    await thread.send('Hi', { context: { user: 'ann' } }).done
    const [asked] = await thread.entries()
    await thread.edit(asked!.id, 'Hi', { context: { user: 'bob' }, output: { title: 'canary' } }).done
    expect(seen).toEqual(['ann', 'bob'])
    await thread.erase([asked!.id])
    const left = JSON.stringify(await thread.entries())
    expect([left.includes('bob'), left.includes('canary')]).toEqual([false, false])
  })

  test('reaches the tools of a book without a store', async () => {
    const seen: string[] = []
    const stateless = openBook({ model: scriptedModel(whoami), window: 4096, tools: [noting(seen)] })
    await stateless.answer([user('Hi')], { context: { user: 'ann' } }).done
    expect(seen).toEqual(['ann'])
  })

  test('that does not fit a tool: the tool does not run, and the developer is told why', async () => {
    const [seen, errors]: [string[], unknown[]] = [[], []]
    const model = scriptedModel([...whoami, ...whoami])
    const thread = book({ model, tools: [noting(seen)], onError: (error) => errors.push(error) }).thread('t')
    await thread.send('Hi').done
    await thread.send('Hi again', { context: { user: 7 } }).done
    expect(seen).toEqual([])
    const problems: unknown = expect.stringMatching(/^user: /)
    expect(errors).toMatchObject([{ code: 'invalid_context' }, { code: 'invalid_context', details: { problems } }])
    const told = (await thread.entries()).filter(({ kind }) => kind === 'tool')
    expect(told.map(({ status, text }) => [status, text.includes('does not fit')])).toEqual([
      ['failed', true],
      ['failed', true],
    ])
  })

  test('that JSON cannot hold is refused at once', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const context of [circle, 1n, () => 1]) {
      const send = (): unknown =>
        book({ model: scriptedModel([]) })
          .thread('t')
          .send('Hi', { context })
      expect(refusal(send).code).toBe('invalid_context')
    }
  })

  test('is unknown to a tool that does not say what it expects', () => {
    defineTool({ name: 'x', run: (_, { context }) => expectTypeOf(context).toEqualTypeOf<unknown>() })
    defineTool({
      name: 'x',
      input: z.object({ a: z.number() }),
      context: Asker,
      run: ({ a }, { context }) => {
        expectTypeOf(a).toEqualTypeOf<number>()
        expectTypeOf(context.user).toEqualTypeOf<string>()
      },
    })
    defineTool({
      name: 'x',
      input: z.object({ a: z.number() }),
      run: (_, { context }) => expectTypeOf(context).toEqualTypeOf<unknown>(),
    })
  })
})
