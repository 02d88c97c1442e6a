import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createView, eventsIn } from '@minutebook/client'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { started } from '../server.ts'

interface Said {
  readonly event: string
  readonly id?: string
  readonly data: { readonly [field: string]: unknown }
}

interface ShownEntry {
  readonly id: string
  readonly text: string
  readonly siblings?: readonly unknown[]
  readonly sentId?: string
}

async function read(response: Response, until: (said: Said) => boolean = () => false): Promise<Said[]> {
  const all: Said[] = []
  for await (const said of eventsIn<Said>(response.body!)) {
    all.push(said)
    if (until(said)) break
  }
  return all
}

test('a page talks, edits, asks again, comes back at any event, stops, and survives a crash', async () => {
  await using upstream = await strictUpstream({ answer: 'one two three', window: 8192 })
  const settings = {
    OLLAMA_HOST: upstream.url,
    BACKEND_FILE: join(mkdtempSync(join(tmpdir(), 'backend-')), 'backend.db'),
  }
  const { child, url } = await started('backend', settings)
  const send = (path: string, body: object = {}): Promise<Response> =>
    fetch(`${url}/threads/ann${path}`, { method: 'POST', body: JSON.stringify(body) })
  const load = async (base = url): Promise<{ entries: ShownEntry[]; position: string }> =>
    (await fetch(`${base}/threads/ann`)).json() as never
  const shown = async (base = url): Promise<ShownEntry[]> => (await load(base)).entries

  const first = await read(await send('/turns', { text: 'Count.', id: 'm1' }))
  expect([first[0]!.event, first.at(-1)!.event]).toEqual(['recorded', 'end'])
  expect(await shown()).toMatchObject([{ text: 'Count.', sentId: 'm1' }, { text: 'one two three' }])
  // The same message again is the same turn.
  expect((await read(await send('/turns', { text: 'Count.', id: 'm1' }))).at(-1)!.data).toEqual(first.at(-1)!.data)

  // A page that comes back after any event has the same in the end.
  const stream = async (id: string | undefined): Promise<Said[]> =>
    read(await fetch(`${url}/threads/ann/stream?from=start&until=rest`, { headers: id ? { 'last-event-id': id } : {} }))
  const all = await stream(undefined)
  for (const [index, { id }] of all.entries()) {
    const view = createView()
    for (const said of [...all.slice(0, index + 1), ...(await stream(id))]) view.take(said as never)
    expect(view.entries.map(({ text }) => text)).toEqual(['Count.', 'one two three'])
  }

  const [asked] = await shown()
  upstream.next({ answer: 'four' })
  const edited = JSON.stringify({ text: 'Count on.' })
  await read(await fetch(`${url}/threads/ann/entries/${asked!.id}`, { method: 'PUT', body: edited }))
  expect((await shown()).map(({ text }) => text)).toEqual(['Count on.', 'four'])
  upstream.next({ answer: 'five' })
  await read(await send(`/entries/${(await shown())[1]!.id}/retry`))
  expect((await shown()).map(({ text, siblings }) => [text, siblings?.length])).toEqual([
    ['Count on.', 2],
    ['five', 2],
  ])

  // A page that is loaded now and watches from there sees what comes, and only that.
  const { entries, position } = await load()
  const view = createView(entries as never)
  upstream.next({ answer: 'six' })
  await read(await send('/turns', { text: 'Go on.' }))
  const fresh = await read(await fetch(`${url}/threads/ann/stream?until=rest&from=${position}`))
  expect(fresh.filter(({ event }) => event === 'entry' || event === 'end')).toHaveLength(3)
  for (const said of fresh) view.take(said as never)
  expect(view.entries.map(({ text }) => text)).toEqual(['Count on.', 'five', 'Go on.', 'six'])

  // Each person has a list of their own threads, and no others.
  const as = (user: string, path = '', init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/threads${path}`, { ...init, headers: { 'x-user': user } })
  const titles = async (user: string): Promise<unknown> =>
    ((await (await as(user)).json()) as { threads: { id: string; title: string }[] }).threads.map(({ id, title }) => [
      id,
      title,
    ])
  await read(await as('ben', '/his/turns', { method: 'POST', body: JSON.stringify({ text: 'Count sheep.' }) }))
  expect([await titles('ann'), await titles('ben')]).toEqual([[['ann', 'Count.']], [['his', 'Count sheep.']]])
  await as('ann', '/ann', { method: 'PATCH', body: 'Counting' })
  expect(await titles('ann')).toEqual([['ann', 'Counting']])
  expect((await as('ann', '/his')).status).toBe(404)
  expect((await as('ann', '/his', { method: 'DELETE' })).status).toBe(404)
  expect((await as('ben', '/his', { method: 'DELETE' })).status).toBe(200)
  expect(await titles('ben')).toEqual([])

  upstream.next({ stallAfter: 1, answer: 'never ending' })
  const running = await send('/turns', { text: 'Talk.' })
  await expect.poll(() => JSON.stringify(upstream.requests.at(-1)?.messages)).toContain('Talk.')
  expect((await send('/turns', { text: 'And?' })).status).toBe(409)
  expect(await (await send('/stop')).json()).toEqual({ stopped: true })
  expect((await read(running)).at(-1)!.data).toMatchObject({ status: 'cancelled' })

  upstream.next({ stallAfter: 1, answer: 'never ending' })
  const cut = await send('/turns', { text: 'Still there?' })
  await read(cut, ({ event }) => event === 'text')
  child.kill('SIGKILL')
  await once(child, 'close')
  const again = await started('backend', settings)
  await read(await fetch(`${again.url}/threads/ann/stream?until=rest`))
  expect((await shown(again.url)).slice(-2).map(({ text }) => text)).toEqual(['Still there?', 'one two three'])
})
