import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { program } from '../program.ts'

/** What the model answers: a program as long as those of the fine-tuned one. */
function answer(n: number): string {
  const steps = ['solid', 'pulse', 'sparkle', 'breathing'].map((pattern, index) => ({
    pattern,
    color: `#${String(n * 10 + index).padStart(6, '0')}`,
    milliseconds: 500,
    why: `It should feel like mood ${n}, the way a room does after rain, with the windows open and nobody in a hurry to switch anything on. `.repeat(
      2,
    ),
  }))
  return JSON.stringify({ name: `mood ${n}`, steps, loop: 'infinite' }, null, 1)
}

test('ten wishes, each a process of its own: two programs whole, the others in a line each', async () => {
  await using upstream = await strictUpstream({ answer: Array.from({ length: 10 }, (_, n) => answer(n)), window: 4096 })
  const lamp = program('lamp', { OLLAMA_HOST: upstream.url })
  for (let n = 0; n < 10; n++)
    expect(await lamp(`mood ${n}, please`)).toMatchObject({ code: 0, stdout: `${answer(n)}\n`, stderr: '' })

  const last = upstream.requests.at(-1)?.messages ?? []
  const text = last.map(({ content }) => String(content)).join('\n')
  expect(last.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([answer(7), answer(8)])
  expect(text).toContain(
    'mood 0, 4 steps: solid(#000000) → pulse(#000001) → sparkle(#000002) → breathing(#000003), infinite loop',
  )
  expect(upstream.requests.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(upstream.requests.at(-1)?.json).toMatchObject({ format: { required: ['name', 'steps', 'loop'] } })

  const shown = await lamp()
  expect(shown.stdout).toContain('policy tiered(2)')
  expect(shown.stdout).toContain('--- OUTLINE (user) ---')
})

test('a model that is down is told in words, and the next wish goes through', async () => {
  await using upstream = await strictUpstream({ answer: [answer(1)], window: 4096 })
  const lamp = program('lamp', { OLLAMA_HOST: upstream.url })
  upstream.next({ failWith: 503 })
  const failed = await lamp('a storm')
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('(failed: ')])
  expect(await lamp('a storm')).toMatchObject({ code: 0 })
})
