import { readFileSync } from 'node:fs'
import { readExperiment } from '@minutebook/experiment'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../../tests/support/blocks.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { standing } from './support.ts'

const file = 'docs/experiments.md'
const [stand] = blocksOf(file, readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')).filter(
  ({ language }) => language === 'yaml',
)

test('the experiment in the documentation can be read, and run to its goal', async () => {
  expect(readExperiment(stand!.text).name).toBe('lemonade stand')
  const { operator } = await nativeServer({
    answer: ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return 'Done for today.'
      const lemons = Number(/lemons: (\d+)/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? 0)
      return {
        calls: [
          lemons === 0 ? { name: 'buy', arguments: { count: 10 } } : { name: 'sell', arguments: { count: lemons } },
        ],
      }
    },
  })
  expect(
    (await operator.ask('POST', '/runs', { definition: stand!.text.replace('"gemma3:4b"', 'strict'), run: 'stand-1' }))
      .status,
  ).toBe(201)
  expect(await standing(operator, 'stand-1', 'success', 'failure', 'limit', 'error')).toMatchObject({
    status: 'success',
  })
})
