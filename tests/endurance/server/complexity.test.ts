import { expect, test } from 'vitest'
import { casesOf, known } from './complexity/cases.ts'
import { exponentOf, growthLine, steepest } from './complexity/growth.ts'
import { measureAll } from './complexity/measure.ts'
import { measuredServer, type MeasuredOptions, type MeasuredServer } from './complexity/measured-server.ts'

const isLong = process.env['COMPLEXITY'] === 'long'
const settings = { MINUTEBOOK_MODELS: JSON.stringify({ plain: { window: 4_000_000 }, small: { window: 4096 } }) }

/** A server with what requests name. */
async function preparedServer(options: MeasuredOptions = {}): Promise<MeasuredServer> {
  const server = await measuredServer({ settings, ...options })
  const { thread, run } = known
  await server.send({ path: '/minutebook/v1/threads', body: { thread } })
  await server.send({ path: `/minutebook/v1/threads/${thread}/turns`, body: { message: 'How many lemons?' } })
  await server.send({
    path: '/minutebook/v1/runs',
    body: { definition: { name: 'counting', participants: { ann: { model: 'plain' } }, limits: { rounds: 1 } }, run },
  })
  return server
}

test('no request takes time out of proportion to its size', async () => {
  await using server = await preparedServer()
  const cases = casesOf(isLong)
  const measured = await measureAll(server, cases, (slow) => isLong && console.log(growthLine(slow.name, slow)))
  console.log(
    `${cases.length} ways to make a request larger; the steepest five:\n${measured
      .slice(0, 5)
      .map((each) => growthLine(each.name, each))
      .join('\n')}`,
  )
  expect(measured.filter(({ exponent }) => exponent > steepest).map((each) => growthLine(each.name, each))).toEqual([])
}, 3_600_000)

test('each check can fail: a loop within a loop is noticed', async () => {
  await using server = await preparedServer({
    flags: ['--import', new URL('./complexity/seeded.ts', import.meta.url).pathname],
  })
  const chat = casesOf(false).find(({ name }) => name === 'openai chat, unrecorded: items of messages')!
  const [measured] = await measureAll(server, [{ ...chat, sizes: chat.sizes.map((size) => 2 * size) }])
  expect(measured?.exponent, measured && growthLine(measured.name, measured)).toBeGreaterThan(steepest)
})

test('exponents are told from times', () => {
  const sizes = [100, 200, 400, 800]
  expect(exponentOf(sizes, [10, 20, 40, 80])).toBeCloseTo(1)
  expect(exponentOf(sizes, [10, 40, 160, 640])).toBeCloseTo(2)
  expect(exponentOf(sizes, [1, 2, 4, 8])).toBe(0)
})
