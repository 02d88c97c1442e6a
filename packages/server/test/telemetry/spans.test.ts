import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { within } from '../../../../tests/support/patience.ts'
import { openSpans } from '../../src/open-services.ts'
import { collectorSpans, names } from '../../src/telemetry/collector.ts'
import { noSpans, outerSpan, traceOfTurn, type Spans, type SpansOptions } from '../../src/telemetry/telemetry.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const call = {
  model: 'gemma3:4b',
  upstream: 'http://127.0.0.1:11434',
  protocol: 'ollama',
  tenant: 'garden',
  thread: 'beds',
  turn: 'q1',
} as const
const canary = 'canary-4711'

function kept(options: Partial<SpansOptions> = {}): {
  readonly spans: Spans
  readonly finished: () => readonly ReadableSpan[]
} {
  const exporter = new InMemorySpanExporter()
  return {
    spans: collectorSpans({ endpoint: 'http://127.0.0.1:9', ...options }, new SimpleSpanProcessor({ exporter })),
    finished: () => exporter.getFinishedSpans(),
  }
}

test('a model call is a span with the names of the conventions', () => {
  const { spans, finished } = kept()
  const span = spans.model({ ...call, mode: 'rewritten', predicted: 120 })
  span.firstText()
  span.end({ finish: 'stop', usage: { prompt: 118, completion: 9 } })
  expect(finished()).toHaveLength(1)
  const [{ name, attributes, resource } = {} as ReadableSpan] = finished()
  expect(name).toBe('chat gemma3:4b')
  expect(resource.attributes['service.name']).toBe('minutebook')
  expect(attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'ollama',
    'gen_ai.request.model': 'gemma3:4b',
    'gen_ai.conversation.id': 'beds',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
    'gen_ai.usage.input_tokens': 118,
    'gen_ai.usage.output_tokens': 9,
    'server.address': '127.0.0.1',
    'server.port': 11434,
    'minutebook.tenant': 'garden',
    'minutebook.turn': 'q1',
    'minutebook.mode': 'rewritten',
    'minutebook.tokens.predicted': 120,
  })
})

test.each([
  [undefined, false],
  [false, false],
  [true, true],
])('content: %s puts what was said into spans: %s', (content, isThere) => {
  const { spans, finished } = kept({ content })
  spans
    .model({ ...call, messages: () => [{ role: 'user', content: canary }] })
    .end({ message: () => ({ role: 'assistant', content: canary }) })
  spans.tool({ tool: 'weather', call: 'c1', input: () => canary }).end({ result: () => canary })
  const written = finished().map(({ name, attributes, events, status }) =>
    JSON.stringify([name, attributes, events, status]),
  )
  expect(written.map((text) => text.includes(canary))).toEqual([isThere, isThere])
})

test('what fails has its code and nothing else', () => {
  const { spans, finished } = kept()
  spans.model(call).end({ error: 'model_cut' })
  expect(finished()[0]).toMatchObject({ status: { code: 2 }, attributes: { [names.error]: 'model_cut' } })
})

test('the spans of a turn are in one trace, whichever instance made them; those of another turn are not', () => {
  const [one, other] = [kept(), kept()]
  one.spans.model(call).end({})
  other.spans.tool({ ...call, tool: 'weather' }).end({})
  other.spans.model({ ...call, turn: 'q2' }).end({})
  other.spans.model({ ...call, tenant: 'harbour' }).end({})
  const traces = [...one.finished(), ...other.finished()].map((span) => span.spanContext().traceId)
  expect(traces[1]).toBe(traces[0])
  expect(new Set(traces).size).toBe(3)
  expect(traces[0]).toBe(traceOfTurn(call))
})

test('a request that is part of a trace has its model call there', () => {
  const { spans, finished } = kept()
  spans.model({ ...call, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }).end({})
  spans.model({ ...call, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' }).end({})
  expect(finished().map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId])).toEqual([
    ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'],
  ])
})

test.each([
  '',
  'nonsense',
  '00-0-0-0',
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `ff-${'a'.repeat(32)}-b7ad6b7169203331-01`,
])('"%s" is no trace', (header) => {
  expect(outerSpan(header)).toBeUndefined()
})

test('the collector is told over HTTP, and without one nothing is', async () => {
  const bodies: string[] = []
  const { url } = await plainUpstream((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text: string) => bodies.push(text))
      .on('end', () => response.end('{}'))
  })
  const spans = await openSpans({ endpoint: `${url}/v1/traces` })
  spans.model(call).end({ finish: 'stop' })
  await spans.close()
  expect(bodies.join('')).toContain('"gen_ai.conversation.id"')
  expect(bodies.join('')).toContain('"stringValue":"minutebook"')
  expect(await openSpans(undefined)).toBe(noSpans)
})

test('a collector that is not there costs no more than a few seconds', async () => {
  const spans = await openSpans({ endpoint: 'http://127.0.0.1:9/v1/traces' })
  spans.model(call).end({})
  const began = performance.now()
  await spans.close()
  expect(performance.now() - began).toBeLessThan(within(8000))
})
