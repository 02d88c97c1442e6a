import { expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'

interface Explained {
  readonly plan: { readonly spans: readonly { readonly verdict: string }[] }
  readonly same: boolean
}

test('the example is a thread like any other: it verifies, with tools, compactions, and a message that was lost', async () => {
  const { operator, upstream } = await nativeServer({})
  const { status, body } = await operator.ask('POST', '/example')
  expect([status, body['thread'], body['title']]).toEqual([200, 'example-trip', 'Example: a weekend in Prague'])
  expect(await operator.ask('GET', '/threads/example-trip/verify')).toMatchObject({
    body: { ok: true, underivable: 0, problems: [] },
  })
  const { entries } = (await operator.ask('GET', '/threads/example-trip/entries')).body as {
    readonly entries: readonly { readonly kind: string; readonly text: string; readonly time: string }[]
  }
  expect(entries.filter(({ kind }) => kind === 'tool')).toHaveLength(2)
  expect(entries[2]).toMatchObject({ kind: 'user', text: expect.stringContaining('wheelchair') })
  expect(Date.parse(entries.at(-1)!.time)).toBeLessThanOrEqual(Date.now())
  const explained = (await operator.ask('GET', '/threads/example-trip/explain')).body as unknown as Explained
  const verdicts = new Set(explained.plan.spans.map(({ verdict }) => verdict))
  expect(explained.same).toBe(true)
  expect([...verdicts].some((verdict) => ['digested', 'outlined', 'omitted'].includes(verdict))).toBe(true)
  expect(verdicts).toContain('verbatim')
  const dump = (await operator.ask('GET', '/threads/example-trip/dump')).body as { readonly text?: string }
  expect(dump.text).not.toContain('wheelchair')
  expect(upstream.requests).toEqual([])
})

test('it is written once, also if two ask at once, and what was said in it since stays', async () => {
  const { operator } = await nativeServer({ answer: 'Yes.' })
  const both = await Promise.all([operator.ask('POST', '/example'), operator.ask('POST', '/example')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const before = (await operator.ask('GET', '/threads/example-trip')).body['entries'] as number
  await operator.stream('POST', '/threads/example-trip/turns', { body: { message: 'Is there a lift?' } })
  const after = (await operator.ask('POST', '/example')).body['entries'] as number
  expect(after).toBeGreaterThan(before)
})
