import fc from 'fast-check'
import { type ModelRequest } from 'minutebook'
import { defineExperiment, tellingsOf, type Play } from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { hastyClock } from './support/hasty-clock.ts'

const names = ['ann', 'bob', 'cy'] as const

interface Drawn {
  readonly plays: readonly Play[]
  /** Whom each one tells something, turn by turn; 3: no participant. */
  readonly targets: readonly number[]
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  plays: fc.array(fc.constantFrom<Play>('sequence', 'parallel', 'addressed'), { minLength: 1, maxLength: 4 }),
  targets: fc.array(fc.nat(3), { minLength: 3, maxLength: 9 }),
})

/** What is told says in which round, by whom and to whom. */
function speaker(name: string, targets: readonly number[]): (request: ModelRequest) => ScriptedAnswer {
  let turn = names.indexOf(name as 'ann')
  return ({ messages }) => {
    if (messages.at(-1)?.role === 'tool') return { text: 'Done.' }
    const to = names[targets[turn++ % targets.length]!]
    if (to === undefined || to === name) return { text: 'Nothing.' }
    return { calls: [{ name: 'tell', arguments: { to, text: `secret ${name} ${to} ${turn}.` } }] }
  }
}

const questionOf = (content: unknown): { readonly round: number; readonly text: string } => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { round: Number(/Round (\d+)/.exec(text)?.[1]), text }
}

test('what is told is heard in the round in which the other is really asked with it', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(drawn, async ({ plays, targets }) => {
      const experiment = defineExperiment({
        name: 'talk',
        environment: {},
        participants: Object.fromEntries(
          names.map((name) => [name, { model: { name: 'm' }, tells: names.filter((other) => other !== name) }]),
        ),
        rounds: plays.map((play) => ({ play })),
        limits: { rounds: 4, turns: 4 },
      })
      const models = new Map(
        names.map((name) => {
          const speak = speaker(name, targets)
          const answers = Array.from({ length: 100 }, () => speak)
          return [name as string, scriptedModel(answers, { wire: 'openai', model: 'm' })]
        }),
      )
      const lab = await laboratory([experiment], (name) => models.get(name)!, { clock: hastyClock })
      const board = await lab.play('talk', experiment)
      await lab.close()
      const told = board.rounds.flatMap(({ round, cells }) =>
        cells.flatMap(({ participant, effects }) =>
          effects.map(({ input }) => {
            const { to, text } = input as { readonly to: string; readonly text: string }
            return { round, participant, to, text }
          }),
        ),
      )
      const truth = told.map(({ round, participant, to, text }) => {
        const heard = models
          .get(to)!
          .requests.flatMap(({ messages }) => messages)
          .filter(({ role }) => role === 'user')
          .map(({ content }) => questionOf(content))
          .find((question) => question.text.includes(text))
        return { from: participant, to, said: round, ...(heard && { heard: heard.round }) }
      })
      expect(tellingsOf(board)).toEqual(truth)
      compared += truth.length
    }),
    withSure(8, cases('long'), [drawn]),
  )
  expect(compared).toBeGreaterThan(20)
})
