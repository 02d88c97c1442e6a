import { memoryStore, type ModelRequest } from 'minutebook'
import { defineExperiment, participantThread } from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'

const twoRounds = defineExperiment({
  name: 'two rounds',
  environment: { total: { type: 'integer', initial: 3 } },
  participants: { scientist: { system: 'You are a scientist.', model: { name: 'scripted' }, tools: ['add'] } },
  tools: {
    add: {
      parameters: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      changes: ({ total }, { input }) => ({ total: Number(total) + Number(input['count']) }),
    },
  },
  limits: { rounds: 2 },
})

test('two rounds: the history of the first is saved, the prompt of the second includes it, and the stored structure is complete', async () => {
  const model = scriptedModel(
    [{ calls: [{ name: 'add', arguments: { count: 4 } }] }, 'I added four.', 'It was seven before.'],
    { wire: 'ollama', model: 'scripted' },
  )
  const lab = await laboratory([twoRounds], () => model)
  const board = await lab.play('first', twoRounds)
  expect(board).toMatchObject({ status: 'limit', environment: { total: 7 } })

  const stored = await lab.store.read(participantThread('first', 'scientist'))
  const said = stored
    .filter(({ kind }) => ['system', 'user', 'assistant', 'tool'].includes(kind))
    .map(({ kind, text, calls }) => [kind, calls[0]?.name ?? text])
  expect(said).toEqual([
    ['system', 'You are a scientist.'],
    ['user', 'Round 1\ntotal: 3'],
    ['assistant', 'add'],
    ['tool', 'total: 7'],
    ['assistant', 'I added four.'],
    ['user', 'Round 2\ntotal: 7'],
    ['assistant', 'It was seven before.'],
  ])
  expect(stored.every(({ kind, time }) => time !== undefined || kind === 'settings')).toBe(true)

  const second = model.requests.at(-1)!
  expect(said.slice(0, -1).map(([kind]) => kind)).toEqual(second.messages.map(({ role }) => role))
  expect(second.messages.map(({ content }) => content)).toEqual([
    'You are a scientist.',
    'Round 1\ntotal: 3',
    '',
    'total: 7',
    'I added four.',
    'Round 2\ntotal: 7',
  ])
  await lab.close()
})

test('"What number did I just say?"', async () => {
  const asking = defineExperiment({
    name: 'numbers',
    environment: {},
    participants: { model: { model: { name: 'remembering' } } },
    rounds: [
      { play: 'sequence', ask: 'The number is 4711. Say it.' },
      { play: 'sequence', ask: 'What number did I just say?' },
    ],
    limits: { rounds: 2 },
  })
  /** Knows nothing but what it is sent. */
  const remember = ({ messages }: ModelRequest): string =>
    String(
      messages
        .slice(0, -1)
        .map(({ content }) => /\d{3,}/.exec(String(content))?.[0])
        .findLast(Boolean) ?? 'I do not know.',
    )
  const lab = await laboratory([asking], () => scriptedModel([remember, remember].map((line) => line)), {
    store: memoryStore(),
  })
  const { rounds } = await lab.play('numbers', asking)
  expect(rounds.map(({ cells }) => cells[0]?.text)).toEqual(['I do not know.', '4711'])
  await lab.close()
})
