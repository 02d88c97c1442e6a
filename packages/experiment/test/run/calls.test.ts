import { defineExperiment } from '@minutebook/experiment/run'
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
