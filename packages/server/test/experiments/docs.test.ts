import { readFileSync } from 'node:fs'
import { definitionValue, readExperiment } from '@minutebook/experiment'
import type { Value } from '@minutebook/experiment/run'
import type { StrictUpstreamOptions } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { blocksOf } from '../../../../tests/support/blocks.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { mergePatch } from '../../src/experiments/begin.ts'
import { standing } from './support.ts'

const file = 'docs/experiments.md'
const [stand, ownPolicy, judged] = blocksOf(
  file,
  readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'),
).filter(({ language }) => language === 'yaml')

const vendor: StrictUpstreamOptions['answer'] = ({ messages }) => {
  if (messages.at(-1)?.role === 'tool') return 'Done for today.'
  const lemons = Number(/lemons: (\d+)/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? 0)
  return {
    calls: [lemons === 0 ? { name: 'buy', arguments: { count: 10 } } : { name: 'sell', arguments: { count: lemons } }],
  }
}

test('the experiment in the documentation can be read, and run to its goal', async () => {
  expect(readExperiment(stand!.text).name).toBe('lemonade stand')
  const { operator } = await nativeServer({ answer: vendor })
  expect(
    (await operator.ask('POST', '/runs', { definition: stand!.text.replace('"gemma3:4b"', 'strict'), run: 'stand-1' }))
      .status,
  ).toBe(201)
  expect(await standing(operator, 'stand-1', 'success', 'failure', 'limit', 'error')).toMatchObject({
    status: 'success',
  })
})

test('it runs with the policy of its own that the documentation shows, which is recorded', async () => {
  const { operator } = await nativeServer({ answer: vendor, window: 420 })
  const definition = mergePatch(
    mergePatch(definitionValue(readExperiment(stand!.text)), parse(ownPolicy!.text) as Value),
    {
      participants: { vendor: { model: 'strict' } },
      goals: null,
      limits: { rounds: 8 },
    },
  )
  expect((await operator.ask('POST', '/runs', { definition, run: 'own' })).status).toBe(201)
  expect(await standing(operator, 'own', 'limit', 'error')).toMatchObject({ status: 'limit' })
  expect((await operator.ask('GET', '/runs/own')).body).toMatchObject({
    definition: {
      participants: { vendor: { policy: { preset: 'tiered', line: 96, digesters: [{ id: 'buy@1' }] } } },
    },
  })
  const { body } = await operator.ask('GET', '/threads/~cnVuL293bi92ZW5kb3I/verify')
  expect(body).toMatchObject({ problems: [] })
})

test('the one with a person waits for it', async () => {
  const { operator } = await nativeServer({ answer: 'Ferns.' })
  const definition = judged!.text.replaceAll('"gemma3:4b"', 'strict')
  expect((await operator.ask('POST', '/runs', { definition, run: 'judged' })).status).toBe(201)
  expect(await standing(operator, 'judged', 'waiting', 'error')).toMatchObject({ waiting: ['judge'] })
})
