import fc from 'fast-check'
import { defineTool, memoryStore, type Model, type ModelOptions, type ModelRequest } from 'minutebook'
import { receiptsOf } from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { book } from '../support/book.ts'
import { faultyStore, type FaultyStore } from '../support/faulty-store.ts'

const schema: NonNullable<ModelOptions['output']> = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
}

const options: fc.Arbitrary<ModelOptions> = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 2),
    seed: fc.constantFrom(0, 7, -1),
    stop: fc.constantFrom<string[]>([], ['END'], ['a', 'b']),
    output: fc.constantFrom(schema, { type: 'array' }),
  },
  { requiredKeys: [] },
)
const asked = fc.option(options, { nil: undefined })

/** What a caller does, and at which write from then on its process dies. */
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('send', 'wait', 'edit', 'same', 'retry'),
    asked,
    dies: fc.option(fc.record({ at: fc.integer({ min: 1, max: 9 }), written: fc.boolean() }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 6 },
)

/** What the model does with each call: an answer that fits, one that does not, or a call of its tool. */
const lines = fc.array(fc.constantFrom('fits', 'unfit', 'calls'), { minLength: 1, maxLength: 8 })

test('every model call of a turn is asked as its sender asked, in whichever process it is made', async () => {
  await fc.assert(
    fc.asyncProperty(steps, lines, asked, fc.boolean(), async (played, said, usual = {}, hasTools) => {
      const store = memoryStore()
      /** What each question was sent with, and how its answer is asked for by now. */
      const sent = new Map<string, ModelOptions>()
      const expected = new Map<string, ModelOptions>()
      const requests: ModelRequest[] = []
      const wrong: ModelRequest[] = []
      const model: Model = async function* (request) {
        const question = request.messages.findLast(({ role }) => role === 'user')?.content as string
        const number = requests.push(request)
        if (!isAskedAs(request, { ...usual, ...expected.get(question) }, hasTools)) wrong.push(request)
        const line = said[number % said.length]
        const calls = hasTools && line === 'calls' && request.toolChoice !== 'none' && number % 3 > 0
        const message = calls
          ? { role: 'assistant', tool_calls: [{ id: `c${number}`, function: { name: 'look', arguments: '{}' } }] }
          : { role: 'assistant', content: line === 'unfit' ? 'No.' : '{"a":1}' }
        yield { type: 'end', message, finish: calls ? 'calls' : 'stop', usage: { prompt: number } }
      }
      const look = defineTool({ name: 'look', mayRepeat: true, run: () => 'seen' })
      const process = (own: FaultyStore): ReturnType<typeof book> =>
        book({ model, ...usual, ...(hasTools && { tools: [look] }) }, own)
      let own = faultyStore(store)
      let thread = process(own).thread('t')

      for (const [index, { does, asked: now, dies }] of played.entries()) {
        const questions = (await thread.entries()).filter(({ kind }) => kind === 'user')
        const newest = questions.at(-1)
        const text = newest && (does === 'same' || does === 'retry') ? newest.text : `question ${index}`
        if (does === 'retry') expected.set(text, now ? { ...sent.get(text), ...now } : (sent.get(text) ?? {}))
        else expected.set(text, now ?? {})
        if (!sent.has(text)) sent.set(text, now ?? {})
        if (dies) own.dieAt(dies.at, { written: dies.written, silent: false })
        if (does === 'send' || !newest) await thread.send(text, { ...now }).done
        else if (does === 'retry') await thread.retry({ ...now }).done
        else if (does === 'edit' || does === 'same') await thread.edit(newest.id, text, { ...now }).done
        else {
          expected.set('before', {})
          await Promise.all([
            thread.send('before', { id: `b${index}` }).done,
            thread.send(text, { ...now, ifBusy: 'queue' }).done,
          ])
        }
        own = faultyStore(store)
        thread = process(own).thread('t')
        await thread.resume().done
      }

      expect(wrong).toEqual([])
      for (const { options: recorded, tokens } of receiptsOf(await store.read('t'))) {
        const request = requests[(tokens.reported.prompt ?? 0) - 1]
        expect(request).toBeDefined()
        if (!request) continue
        const { output, ...others } = recorded ?? {}
        const { output: form, ...plain } = request.options ?? {}
        expect(others).toEqual(plain)
        expect(output?.sent ?? false).toBe(form !== undefined)
      }
      expect((await thread.verify()).ok).toBe(true)
    }),
    { numRuns: cases('long') },
  )
})

/** With tools, the form is sent only with calls that must not use them. */
function isAskedAs({ options: now = {}, toolChoice }: ModelRequest, asking: ModelOptions, hasTools: boolean): boolean {
  const { output, ...others } = asking
  const isFree = hasTools && toolChoice !== 'none'
  if (toolChoice === 'none' && !(hasTools && output)) return false
  return canonicalJson(now) === canonicalJson({ ...others, ...(output && !isFree && { output }) })
}
