import { compile, defineDigester, estimator, explain, tiered, type Message } from 'minutebook'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { runPage } from '../support/page.ts'

test('the page prints what it says', async () => {
  const { printed, expected } = await runPage('docs/seeds/001-digests.md')
  expect(printed).toBe(expected)
})

interface Program {
  readonly name: string
  readonly steps: readonly { readonly pattern: string; readonly color: string }[]
  readonly loop: string
}

const lineOf = ({ name, steps }: Program): string =>
  `${name}, ${steps.length} steps: ${steps.map(({ pattern, color }) => `${pattern}(${color})`).join(' → ')}, infinite loop`
const lamp = defineDigester({ id: 'lamp@1', digest: (value) => lineOf(value as Program) })

function program(n: number): Program {
  const color = (step: number): string => `#1A${n.toString(16)}A${step}E`.toUpperCase()
  const steps = ['solid', 'pulse', 'sparkle', 'breathing'].map((pattern, step) => ({ pattern, color: color(step) }))
  return { name: `thunderstorm ${n}`, steps, loop: 'infinite' }
}

/** A program of 237 tokens. */
function padded(made: Program): string {
  let text = JSON.stringify(made)
  for (let words = 1; estimator.count(text) < 237; words++) text = JSON.stringify({ ...made, why: 'as '.repeat(words) })
  return text
}

const instructions = 'You program a lamp. '.repeat(338)

test.each<[string, (n: number) => Message[]]>([
  ['answers', (n) => [assistant(padded(program(n)))]],
  [
    'tool results',
    (n) => [
      assistant('', call(`call_${n}`, 'set_program', { wish: `thunderstorm ${n}` })),
      result(`call_${n}`, padded(program(n))),
      assistant('The lamp has it.'),
    ],
  ],
])('ten of ten lines are whole with the settings of the guide: %s', (_, told) => {
  const turns = Array.from({ length: 12 }, (_, n) => [user(`a thunderstorm, number ${n}`), ...told(n)])
  const compiled = compile([system(instructions), ...turns.flat(), user('slower')], {
    window: 4096,
    reserve: 400,
    policy: tiered({ verbatim: 2 }),
    digesters: [lamp],
  })
  const prompt = compiled.messages.map(({ content }) => content).join('\n')
  expect(Array.from({ length: 10 }, (_, n) => prompt.includes(lineOf(program(n))))).toEqual(Array(10).fill(true))
  expect(prompt).not.toContain('returned')
  expect(explain(compiled, { width: 120 })).toContain('\nlamp@1: 10 digests')
  expect(estimator.count(instructions)).toBeGreaterThan(1750)
})
