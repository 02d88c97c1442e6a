import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const canary = 'canary-quince'

/** A log that remembers its lines. */
function kept(): { readonly log: Writable; readonly lines: () => readonly Readonly<Record<string, unknown>>[] } {
  let text = ''
  const log = new Writable({ write: (piece: Buffer, _, done) => ((text += piece.toString('utf8')), done()) })
  return {
    log,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
  }
}

async function said(url: string, thread: string, message: string): Promise<string> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${url}/minutebook/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    })
  await post('/threads', { thread })
  return (await post(`/threads/${thread}/turns`, { message })).text()
}

test('a turn is counted, has its line and its span, and what was said is in none of them', async () => {
  const { log, lines } = kept()
  const traced: string[] = []
  const collector = await plainUpstream((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text: string) => traced.push(text))
      .on('end', () => response.end('{}'))
  })
  const { running } = await gatewayBefore(
    { answer: `The word is ${canary}.` },
    { telemetry: { endpoint: `${collector.url}/v1/traces` } },
    { log },
  )
  expect(await said(running.url, 'garden', `Say ${canary}`)).toContain('event: end')
  const { services } = running
  await expect.poll(() => lines().some(({ turnStatus }) => turnStatus !== undefined)).toBe(true)
  const counted = services.metrics.text()
  await running.close({ patience: 0 })

  expect(counted).toContain('minutebook_turns_total{status="complete"} 1\n')
  expect(counted).toContain('minutebook_model_calls_total{status="complete"} 1\n')
  expect(counted).toContain('minutebook_turns_running 0\n')
  expect(counted).toContain('minutebook_streams_open 0\n')
  const line = lines().find(({ turnStatus }) => turnStatus !== undefined)
  expect(line).toEqual({
    level: 30,
    time: expect.any(String) as string,
    tenant: 'default',
    thread: 'garden',
    turn: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    turnStatus: 'complete',
    ms: expect.any(Number) as number,
    model: 'strict',
    tokens: expect.any(Number) as number,
  })
  const spans = traced.join('')
  expect(spans).toContain('gen_ai.request.model')
  expect(spans).toContain('garden')
  for (const text of [JSON.stringify(lines()), counted, spans]) expect(text).not.toContain('quince')
})

test('a turn that fails is a failed one, with the code of why', async () => {
  const { log, lines } = kept()
  const { running, upstream } = await gatewayBefore({}, {}, { log })
  upstream.next({ abortAfter: 1 })
  await said(running.url, 'garden', 'Hello?')
  await expect.poll(() => lines().some(({ turnStatus }) => turnStatus === 'failed')).toBe(true)
  expect(lines().filter(({ turnStatus }) => turnStatus !== undefined)).toMatchObject([
    { thread: 'garden', turnStatus: 'failed', level: 40, code: expect.stringMatching(/^model_/) as string },
  ])
  expect(running.services.metrics.text()).toContain('minutebook_turns_total{status="failed"} 1\n')
})

test('model calls and tool calls of a turn are spans of one trace, those of the next turn of another', async () => {
  const spans: Traced[] = []
  const collector = await plainUpstream((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (piece: string) => (text += piece))
      .on('end', () => (spans.push(...spansIn(text)), response.end('{}')))
  })
  const tool = await plainUpstream(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"sky":"clear"}'),
  )
  const tools = [{ name: 'weather', parameters: { type: 'object', properties: {} }, url: tool.url }]
  const { running } = await gatewayBefore(
    { answer: [{ calls: [{ name: 'weather' }] }, 'Clear.', 'Still clear.'] },
    { tools, telemetry: { endpoint: `${collector.url}/v1/traces` } },
  )
  await fetch(`${running.url}/minutebook/v1/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ thread: 'garden', setup: { tools: ['weather'] } }),
  })
  await said(running.url, 'garden', 'How is it?')
  await said(running.url, 'garden', 'And now?')
  await running.close({ patience: 0 })
  expect(spans.map(({ name }) => name)).toEqual(['chat strict', 'execute_tool weather', 'chat strict', 'chat strict'])
  const traces = spans.map(({ traceId }) => traceId)
  expect(new Set(traces.slice(0, 3)).size).toBe(1)
  expect(traces[3]).not.toBe(traces[0])
})

interface Traced {
  readonly name: string
  readonly traceId: string
}

function spansIn(text: string): Traced[] {
  const { resourceSpans } = JSON.parse(text) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Traced[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}
