import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMetrics, watchProcess } from '../../src/telemetry/metrics.ts'

/** Names with their types, as Prometheus is told. */
function seriesIn(text: string): Map<string, string> {
  return new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]))
}

function valueOf(text: string, series: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  )
}

test('turns are counted by how they ended, once, and while they run', () => {
  const metrics = createMetrics()
  const [one, two] = [metrics.turnBegan(), metrics.turnBegan()]
  expect(valueOf(metrics.text(), 'minutebook_turns_running')).toBe(2)
  one('complete')
  one('failed')
  two('cancelled')
  const text = metrics.text()
  const of = (status: string): number => valueOf(text, `minutebook_turns_total{status="${status}"}`)
  expect([
    of('complete'),
    of('failed'),
    of('cancelled'),
    valueOf(text, 'minutebook_turns_running'),
    valueOf(text, 'minutebook_turn_seconds_count'),
  ]).toEqual([1, 0, 1, 0, 2])
})

test('model calls count tokens and times', () => {
  const metrics = createMetrics()
  metrics.modelCalled({ ok: true, seconds: 1, firstText: 0.05, prompt: 100, completion: 7 })
  metrics.modelCalled({ ok: false, seconds: 3 })
  const text = metrics.text()
  expect(valueOf(text, 'minutebook_model_tokens_total{type="prompt"}')).toBe(100)
  expect(valueOf(text, 'minutebook_model_tokens_total{type="completion"}')).toBe(7)
  expect(valueOf(text, 'minutebook_model_calls_total{status="failed"}')).toBe(1)
  expect(valueOf(text, 'minutebook_model_seconds_bucket{le="2"}')).toBe(1)
  expect(valueOf(text, 'minutebook_model_seconds_bucket{le="+Inf"}')).toBe(2)
  expect(valueOf(text, 'minutebook_model_first_text_seconds_count')).toBe(1)
})

test('gauges are read when somebody looks, add up, and can be taken back', () => {
  const metrics = createMetrics()
  let waiting = 3
  const end = metrics.read('waiting', () => waiting)
  metrics.read('waiting', () => 1)
  metrics.read('pool', () => ({ idle: 4, busy: 6, waiting: 2 }))
  expect(valueOf(metrics.text(), 'minutebook_turns_waiting')).toBe(4)
  expect(valueOf(metrics.text(), 'minutebook_pool_connections{state="busy"}')).toBe(6)
  waiting = 5
  expect(valueOf(metrics.text(), 'minutebook_turns_waiting')).toBe(6)
  end()
  expect(valueOf(metrics.text(), 'minutebook_turns_waiting')).toBe(1)
})

test('an event loop that stood still shows until it is read, and the heap is below its limit', async () => {
  const metrics = createMetrics()
  const end = watchProcess(metrics)
  const longest = (text: string): number => valueOf(text, 'minutebook_event_loop_delay_seconds{quantile="1"}')
  await after(200)
  for (const stop = performance.now() + 300; performance.now() < stop;);
  await after(200)
  const text = metrics.text()
  expect(longest(text)).toBeGreaterThan(0.2)
  expect(valueOf(text, 'minutebook_event_loop_delay_seconds{quantile="0.5"}')).toBeLessThanOrEqual(longest(text))
  expect(longest(metrics.text())).toBe(0)
  const [used, limit] = ['used', 'limit'].map((of) => valueOf(text, `minutebook_heap_bytes{of="${of}"}`))
  expect(used).toBeGreaterThan(1e6)
  expect(used).toBeLessThan(limit!)
  end()
})

test('every line is one that Prometheus can read', () => {
  const metrics = createMetrics()
  metrics.begin()('a "route"\\\n', 200, 0.1)
  metrics.read('pool', () => ({ idle: 1 }))
  for (const line of metrics.text().split('\n').filter(Boolean)) {
    expect(line).toMatch(
      /^# (?:HELP|TYPE) minutebook_\w+ .+$|^minutebook_\w+(?:\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? -?[\d.e+-]+$/,
    )
  }
})

test('docs/reference/metrics.md names every series there is, with its type, and no other', () => {
  const page = readFileSync(new URL('../../../../docs/reference/metrics.md', import.meta.url), 'utf8')
  const named = new Map(
    Array.from(page.matchAll(/^\| `(minutebook_\w+)` \| (\w+) \|/gm), ([, name = '', type = '']) => [name, type]),
  )
  expect(named).toEqual(seriesIn(createMetrics().text()))
})
