import { describe, expect, test } from 'vitest'
import { nativeServer, shownBy, type Native, type Seen } from '../../../../tests/support/server/native.ts'

const at = '/threads/garden'

async function garden(operator: Native, setup: object = {}): Promise<void> {
  expect((await operator.ask('POST', '/threads', { thread: 'garden', setup })).status).toBe(201)
}

const isEnd = ({ event }: Seen): boolean => event === 'end'
const ends = (seen: readonly Seen[]): readonly unknown[] => seen.filter(isEnd).map(({ data }) => data['status'])
const turnNow = async (operator: Native, turn: unknown): Promise<unknown> =>
  (await operator.ask('GET', `${at}/turns/${String(turn)}`)).body

describe('a turn that is interrupted', () => {
  test('ends as cancelled, live, in the stream of its sender and told again', async () => {
    const { operator, upstream } = await nativeServer({ answer: 'ok' })
    await garden(operator)
    upstream.next({ answer: 'one two three', stallAfter: 2 })
    let goOn = (): void => undefined
    const hasBegun = new Promise<void>((resolve) => (goOn = resolve))
    const sender = operator.stream('POST', `${at}/turns`, {
      body: { message: 'First.' },
      until: ({ event }) => {
        if (event === 'text') goOn()
        return false
      },
    })
    await hasBegun
    // Between the two turns nobody is at work: so it is followed until the second one has ended.
    const live = operator.stream('GET', `${at}/stream?from=0.0.0`, {
      until: (seen) => isEnd(seen) && seen.data['status'] === 'complete',
    })
    await operator.stream('POST', `${at}/turns`, { body: { message: 'Second.', ifBusy: 'interrupt' } })
    expect(ends(await sender)).toEqual(['cancelled'])
    expect(ends(await live)).toEqual(['cancelled', 'complete'])
    const replayed = await operator.stream('GET', `${at}/stream?from=0.0.0&until=rest`)
    expect(ends(replayed)).toEqual(['cancelled', 'complete'])
    const [end] = replayed.filter(isEnd)
    expect(end?.data).toMatchObject({ answer: expect.any(String) as string, reason: { code: 'cancelled' } })
    expect(await turnNow(operator, end?.data['turn'])).toMatchObject({
      status: 'cancelled',
      answer: end?.data['answer'],
    })
  })
})

describe('a retry', () => {
  test('runs until it has ended, whatever was answered before', async () => {
    const { operator, upstream } = await nativeServer({ answer: 'Ferns.' })
    await garden(operator)
    const first = await operator.stream('POST', `${at}/turns`, { body: { message: 'What grows?' } })
    const turn = first.at(-1)?.data['turn']
    upstream.next({ answer: 'Moss, and more', stallAfter: 2 })
    const running = { turn, status: 'running', answer: null, text: '' }
    expect(await operator.ask('POST', `${at}/retry`)).toMatchObject({ status: 202, body: running })
    await operator.stream('GET', `${at}/stream`, { until: ({ event }) => event === 'text' })
    expect(await turnNow(operator, turn)).toMatchObject(running)
    await operator.ask('POST', `${at}/cancel`)
    expect(await turnNow(operator, turn)).toMatchObject({
      status: 'cancelled',
      answer: expect.not.stringMatching(String(first.at(-1)?.data['answer'])) as string,
    })
    upstream.next({ answer: 'Hostas.' })
    await operator.stream('POST', `${at}/retry`)
    expect(await turnNow(operator, turn)).toMatchObject({ status: 'complete', text: 'Hostas.' })
  })

  test('that gives the same answer tells it again, to its sender and to whoever resumes', async () => {
    // Long enough that a busy machine does not bring all of it at once.
    const answer = 'one two three four five six seven eight nine ten'
    const { operator } = await nativeServer({ answer, delay: 20 })
    await garden(operator)
    const first = await operator.stream('POST', `${at}/turns`, { body: { message: 'Count.' } })
    const again = await operator.stream('POST', `${at}/retry`)
    expect(shownBy(again)).toEqual({ text: '', entries: [`assistant: ${answer}`] })
    expect(again.at(-1)?.data).toEqual(first.at(-1)?.data)
    const positions = again.map(({ id }) => id).filter((id) => id !== undefined)
    expect(positions.length).toBeGreaterThan(3)
    // The last two are the answer and the end.
    for (const from of positions.slice(0, -2))
      expect([from, shownBy(await operator.stream('GET', `${at}/stream?from=${from}&until=rest`)).entries]).toEqual([
        from,
        [`assistant: ${answer}`],
      ])
    const whole = await operator.stream('GET', `${at}/stream?from=0.0.0&until=rest`)
    expect(shownBy(whole).entries).toEqual(['user: Count.', `assistant: ${answer}`])
    for (const { id } of first.filter(({ event }) => event === 'entry').slice(1)) {
      const rest = await operator.stream('GET', `${at}/stream?from=${id}`, { until: isEnd })
      expect(shownBy(rest).entries).toEqual([`assistant: ${answer}`])
    }
  })
})

describe('a position', () => {
  test.each([
    ['beyond the log', '99.0.0'],
    ['of a later term', '1.99.0'],
    ['beyond both, of an end', '99.99.0.end'],
    ['that is none', '1.0.0.en'],
  ])('%s is refused before anything is sent', async (_, position) => {
    const { operator } = await nativeServer({ answer: 'ok' })
    await garden(operator)
    await operator.stream('POST', `${at}/turns`, { body: { message: 'Hi' } })
    const refused = { status: 400, body: { error: { code: 'invalid_position' } } }
    expect(await operator.ask('GET', `${at}/stream?from=${position}`)).toMatchObject(refused)
    expect(await operator.ask('GET', `${at}/stream`, undefined, { 'last-event-id': position })).toMatchObject(refused)
  })

  test('of an end is gone on from: it is not told twice, and the next one is', async () => {
    const { operator } = await nativeServer({ answer: 'ok' })
    await garden(operator)
    const first = await operator.stream('POST', `${at}/turns`, { body: { message: 'One' } })
    const seen: Seen[] = []
    const following = operator.stream('GET', `${at}/stream`, {
      headers: { 'last-event-id': first.at(-1)?.id ?? '' },
      until: (event) => seen.push(event) > 0 && isEnd(event),
    })
    await operator.ask('PUT', `${at}/setup`, { reserve: 64 })
    const second = await operator.stream('POST', `${at}/turns`, { body: { message: 'Two' } })
    expect(shownBy(await following).entries).toEqual(['user: Two', 'assistant: ok'])
    expect(seen.filter(isEnd).map(({ data }) => data)).toEqual([second.at(-1)?.data])
    const asked = await operator.stream('GET', `${at}/stream?from=${second.at(-1)?.id}&until=rest`)
    expect(asked.map(({ event }) => event)).toEqual(['end'])
  })

  test('of what stands last before an end is not that of the end', async () => {
    const { operator, upstream } = await nativeServer()
    await garden(operator)
    upstream.next({ failWith: 400 })
    const seen = await operator.stream('POST', `${at}/turns`, { body: { message: 'One' } })
    const [stop, end] = seen.slice(-2)
    expect([stop?.data['kind'], end?.event]).toEqual(['stop', 'end'])
    const rest = await operator.stream('GET', `${at}/stream?from=${stop?.id}`, { until: isEnd })
    expect(rest).toEqual([end])
  })
})

describe('a setup', () => {
  test('without a system text takes away the one before', async () => {
    const { operator, upstream } = await nativeServer({ answer: 'ok' })
    await garden(operator, { system: 'Be brief.' })
    const prompted = async (message: string): Promise<readonly string[]> => {
      await operator.stream('POST', `${at}/turns`, { body: { message } })
      return (
        upstream.requests
          .at(-1)
          ?.messages.filter(({ role }) => role === 'system')
          .map(({ content }) => String(content)) ?? []
      )
    }
    expect(await prompted('One')).toEqual(['Be brief.'])
    await operator.ask('PUT', `${at}/setup`, {})
    expect(await prompted('Two')).toEqual([])
    await operator.ask('PUT', `${at}/setup`, { reserve: 64 })
    expect(await prompted('Three')).toEqual([])
    expect((await operator.ask('GET', at)).body['setup']).toEqual({ reserve: 64 })
    await operator.ask('PUT', `${at}/setup`, { system: 'Be kind.' })
    expect(await prompted('Four')).toEqual(['Be kind.'])
  })

  test.each([[{}], [{ system: 'Never sent.' }]])(
    'without a system text where none was ever sent writes none: after %j',
    async (before) => {
      const { operator } = await nativeServer({ answer: 'ok' })
      await garden(operator, before)
      await operator.ask('PUT', `${at}/setup`, {})
      await operator.stream('POST', `${at}/turns`, { body: { message: 'One' } })
      const { body } = await operator.ask('GET', `${at}/entries?hidden=1`)
      expect((body['entries'] as readonly { readonly kind: string }[]).map(({ kind }) => kind)).not.toContain('system')
    },
  )
})

describe('an erasure', () => {
  test('of an entry that is not there is refused, and erases nothing', async () => {
    const { operator } = await nativeServer({ answer: 'ok' })
    await garden(operator)
    const seen = await operator.stream('POST', `${at}/turns`, { body: { message: 'One' } })
    const entries = [String(seen.at(-1)?.data['turn'])]
    expect(await operator.ask('POST', `${at}/erase`, { entries: [...entries, 'nothing'] })).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown_entry' } },
    })
    expect(await operator.ask('POST', `${at}/erase`, { entries })).toMatchObject({
      status: 200,
      body: { erased: entries },
    })
    expect(await operator.ask('POST', `${at}/erase`, { entries })).toMatchObject({ status: 200, body: { erased: [] } })
  })

  test('of all that was said keeps the setup, and says so; of the setups before it nothing is left', async () => {
    const { operator, upstream } = await nativeServer({ answer: 'ok' })
    await garden(operator, { system: 'canary-4711' })
    const setup = { system: 'Be brief.', window: 512 }
    await operator.ask('PUT', `${at}/setup`, setup)
    await operator.stream('POST', `${at}/turns`, { body: { message: 'canary-4712' } })
    const { body } = await operator.ask('POST', `${at}/erase`, {})
    expect(body['remains']).toContainEqual(expect.stringContaining('setup'))
    expect((await operator.ask('GET', at)).body['setup']).toEqual(setup)
    expect((await operator.ask('GET', `${at}/export`)).body['text']).not.toContain('canary')
    await operator.stream('POST', `${at}/turns`, { body: { message: 'And now?' } })
    expect(
      upstream.requests
        .at(-1)
        ?.messages.filter(({ content }) => content !== '')
        .map(({ content }) => content),
    ).toEqual(['Be brief.', 'And now?'])
    await operator.ask('PUT', `${at}/setup`, {})
    await operator.ask('POST', `${at}/erase`, {})
    expect((await operator.ask('GET', `${at}/export`)).body['text']).not.toContain('Be brief.')
  })
})

test('an import without a line is refused', async () => {
  const { operator } = await nativeServer()
  for (const lines of ['', '\n\n']) {
    expect(
      await operator.ask('POST', '/threads/empty/import', lines, { 'content-type': 'application/x-ndjson' }),
    ).toMatchObject({ status: 400, body: { error: { code: 'corrupt_line' } } })
    expect((await operator.ask('GET', '/threads/empty')).status).toBe(404)
  }
})
