import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { program } from '../program.ts'
import { shownIn } from '../shown.ts'

const page = new URL('./README.md', import.meta.url)

test('every server finds the state in the conversation, and believes only what is sealed; the page shows it', async () => {
  const { code, stdout, stderr } = await program('stateless', {})()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n').filter((line) => line.includes('tool: '))).toEqual([
    '  tool: {"bed":1,"plant":"beans"}',
    '  tool: {"bed":2,"plant":"carrots"}',
    '  tool: {"1":"beans","2":"carrots"}',
    '  tool: {}',
    '  tool: {"1":"beans"}',
  ])
  expect(shownIn(page, stdout)).toEqual([])
})

test('with a model of Ollama, whose calls have no ids, it is the same', async () => {
  const sow = (bed: number, plant: string): object => ({ calls: [{ name: 'sow', arguments: { bed, plant } }] })
  const look = { calls: [{ name: 'look' }] }
  await using upstream = await strictUpstream({
    window: 4096,
    answer: [sow(1, 'beans'), 'Done.', sow(2, 'carrots'), 'Done.', look, 'Done.', look, 'Done.', look, 'Done.'],
  })
  const { code, stdout } = await program('stateless', { OLLAMA_HOST: upstream.url })('--model', 'any')
  expect(code).toBe(0)
  expect(shownIn(page, stdout)).toEqual([])
})
