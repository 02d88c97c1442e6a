import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { program } from '../program.ts'
import { shownIn } from '../shown.ts'

const fern = { calls: [{ name: 'order', arguments: { item: 'fern', price: 24 } }] }
const where = { calls: [{ name: 'ask_user', arguments: { question: 'Where will it stand?' } }] }

test('it asks where the fern will stand, and before it orders; each step is a process of its own', async () => {
  await using upstream = await strictUpstream({ window: 4096, answer: [where, fern, 'It comes on Friday.'] })
  const shop = program('shop', { OLLAMA_HOST: upstream.url })
  const printed: string[] = []
  for (const words of [['I need a fern for the hall'], ['answer', 'In the north window'], ['run']]) {
    const { code, stdout, stderr } = await shop('ann', ...words)
    expect([code, stderr]).toEqual([0, ''])
    printed.push(stdout)
  }
  expect(printed).toEqual([
    'It waits:\n- ask_user {"question":"Where will it stand?"} needs answer\n',
    'It waits:\n- order {"item":"fern","price":24} needs approval\n',
    'It comes on Friday.\n',
  ])
  expect(shownIn(new URL('../../docs/waiting.md', import.meta.url), printed.join(''))).toEqual([])
})

test('what is refused is not ordered, and what is cheap is ordered at once', async () => {
  const seed = { calls: [{ name: 'order', arguments: { item: 'seed', price: 2 } }] }
  await using upstream = await strictUpstream({
    window: 4096,
    answer: [fern, 'Then not.', seed, 'Seeds are on their way.'],
  })
  const shop = program('shop', { OLLAMA_HOST: upstream.url })
  await shop('ann', 'I need a fern')
  expect((await shop('ann', 'Hello?')).stdout).toMatch(/\S/)
  expect((await shop('ann', 'refuse', 'Too expensive.')).stdout).toBe('Then not.\n')
  expect(upstream.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: '(refused: Too expensive.)' })
  expect((await shop('ann', 'Then seeds')).stdout).toBe('Seeds are on their way.\n')
})
