import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { within } from '../tests/support/patience.ts'
import { startChild, type Child } from '../tests/support/process/child.ts'
import { added, mean, ratio, roundOf, type Round } from './gateway/figures.ts'
import { measureStream } from './gateway/measured-stream.ts'
import { stampsIn } from '../tests/support/process/moment.ts'

const round = (lag50: number, processor = 0): Round => ({
  lag50,
  lag99: 0,
  first50: 0,
  first99: 0,
  end50: 0,
  processor,
})

test('what a side adds is taken round by round, against the bare upstream of the same round', () => {
  const bare = [100, 900, 110].map((lag) => round(lag))
  const tap = [300, 1100, 310].map((lag) => round(lag))
  const slow = [400, 1200, 5000].map((lag) => round(lag))
  expect(added(tap, bare, 'lag50')).toBe(200)
  expect(added(slow, bare, 'lag50')).toBe(300)
  expect(ratio(slow, tap, bare, 'lag50')).toBe(1.5)
  expect(mean([round(0, 10), round(0, 30)], 'processor')).toBe(20)
})

test('a round has the middle and the end of all its deltas, and the processor time of one', () => {
  const lags = Array.from({ length: 200 }, (_, index) => index + 1)
  const one = roundOf(
    [
      { lags: lags.slice(0, 100), first: 5, end: 7, whole: 50, text: '' },
      { lags: lags.slice(100), first: 9, end: 11, whole: 50, text: '' },
    ],
    4000,
  )
  expect(one).toEqual({ lag50: 101, lag99: 199, first50: 9, first99: 9, end50: 11, processor: 20 })
})

test.for(['/v1/chat/completions', '/api/chat', '/v1/messages'] as const)(
  'the deltas of %s arrive one by one through the tap, with the moment at which each was sent',
  async (path) => {
    const upstream = await started('upstream-process.ts', {})
    const tap = await started('tap-process.ts', { MINUTEBOOK_UPSTREAMS: upstream.url })
    const body = JSON.stringify({
      model: `paced:6:${within(100)}`,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    })
    const { lags, first, text } = await measureStream(tap.url, path, body)
    expect(lags).toHaveLength(6)
    expect(stampsIn(text)).toHaveLength(6)
    expect(Math.min(...lags, first)).toBeGreaterThan(0)
    // Deltas that were kept back would arrive together: the first one half a second later than the last.
    expect(lags[0]! - lags[5]!).toBeLessThan(3000 * within(100))
  },
)

async function started(script: string, environment: Readonly<Record<string, string>>): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-bench-'))
  const child = await startChild({
    command: [process.execPath, '--no-warnings', join(import.meta.dirname, 'gateway', script)],
    folder,
    environment,
  })
  onTestFinished(async () => {
    await child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}
