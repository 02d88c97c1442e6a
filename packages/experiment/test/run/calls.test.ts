import { defineExperiment } from '@minutebook/experiment/run'
import { memoryStore, type Store } from 'minutebook'
import { expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'

const log = defineExperiment({
  name: 'log',
  environment: { said: { type: 'list', initial: [] } },
  participants: { ann: { model: { name: 'm' }, tools: ['say'] } },
  tools: {
    say: {
      parameters: { type: 'object' },
      changes: ({ said }, { input }) => ({ said: [...(said as string[]), input['word']!] }),
    },
  },
  limits: { rounds: 2 },
})

const say = (...words: string[]) => ({ calls: words.map((word) => ({ name: 'say', arguments: { word } })) })

test.each(['ollama', 'openai'] as const)(
  'on the wire of %s, every call is done once and in order, also several of one answer and the same one twice',
  async (wire) => {
    const script = scriptedModel([say('a', 'b', 'b'), say('c', 'a'), 'Done.', say('b'), 'Done.'], { wire, model: 'm' })
    const lab = await laboratory([log], () => script)
    const { environment, rounds } = await lab.play('one', log)
    expect(environment['said']).toEqual(['a', 'b', 'b', 'c', 'a', 'b'])
    expect(rounds.map(({ cells }) => cells[0]?.effects.length)).toEqual([5, 1])
    await lab.close()
  },
)

test('a call that is given up while its effect is read back changes nothing, as its model is told', async () => {
  const store = memoryStore()
  let isRecorded = false
  const slow: Store = {
    ...store,
    append: async (thread, entries, terms) => {
      const appended = await store.append(thread, entries, terms)
      isRecorded ||= entries.some(({ key }) => key?.startsWith('effect '))
      return appended
    },
    // Longer than the timeout of the tool.
    standing: async (thread) => {
      if (isRecorded && thread === 'minutebook:run/one') await new Promise((resolve) => setTimeout(resolve, 200))
      return store.standing(thread)
    },
  }
  const hasty = { ...log, tools: { say: { ...log.tools!['say']!, timeout: 100 } }, limits: { rounds: 1 } }
  const lab = await laboratory([hasty], () => scriptedModel([say('a'), 'So be it.']), { store: slow })
  const { environment, rounds } = await lab.play('one', hasty)
  const results = (await store.read('run/one/ann')).filter(({ kind }) => kind === 'tool')
  expect(results.map(({ text, status }) => [text, status])).toEqual([['(failed: no result within 100 ms)', 'failed']])
  expect(rounds[0]?.cells[0]?.effects).toEqual([])
  expect(environment).toEqual({ said: [] })
  await lab.close()
})
