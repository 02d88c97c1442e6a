import { strictUpstream, type UpstreamAnswer } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { program } from '../program.ts'

const calls = (name: string, given: Readonly<Record<string, unknown>>): UpstreamAnswer => ({
  calls: [{ id: `${name}-1`, name, arguments: given }],
})

test('three requests in three processes: each finds what the ones before it found', async () => {
  await using upstream = await strictUpstream({
    window: 4096,
    answer: [
      calls('generate_hypothesis', { claim: 'Fewer fields, more orders' }),
      'A hypothesis is on record.',
      calls('generate_variants', { names: ['long form', 'short form'] }),
      'Two variants.',
      calls('create_experiment', {}),
      'The experiment is created.',
    ],
  })
  const agent = program('hypothesis', { OLLAMA_HOST: upstream.url })
  expect((await agent('ann', 'Find', 'a hypothesis')).stdout).toContain(`claim: 'Fewer fields, more orders'`)
  expect((await agent('ann', 'Now two variants')).stdout).toContain(`names: [ 'long form', 'short form' ]`)
  const created = await agent('ann', 'Create the experiment')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  expect(created.stdout).toContain('The experiment is created.')
  expect(created.stdout).toMatch(
    /experiment: \{\s*id: 'e-h-generate_hypothesis-1',\s*hypothesis: 'h-generate_hypothesis-1',\s*variants: \[ 'long form', 'short form' \]/,
  )
})

test('somebody else’s hypothesis is not at hand: the tool says so, and the model is told', async () => {
  await using upstream = await strictUpstream({
    window: 4096,
    answer: [calls('generate_hypothesis', { claim: 'x' }), 'Done.', calls('create_experiment', {}), 'I cannot.'],
  })
  const agent = program('hypothesis', { OLLAMA_HOST: upstream.url })
  await agent('ann', 'Find a hypothesis')
  expect((await agent('bob', 'Create the experiment')).stdout).toMatch(/I cannot\.[^]*hypothesis: undefined/)
  expect(upstream.requests.at(-1)?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: '(failed: generate a hypothesis first)',
  })
})
