import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { within } from '../../support/patience.ts'
import { measuredServer, type MeasuredServer, type Sent } from './complexity/measured-server.ts'
import type { PollerData } from './livez/poller.ts'
import { everyKind, largeChats, longExport, longThread, operations, type LargeRequest } from './livez/requests.ts'

// LIVEZ=long: requests as large as the server takes, on a thread of 20,000 entries.
const isLong = process.env['LIVEZ'] === 'long'
const scale = isLong ? 1 : 0.25
/** Milliseconds of the server's work that nobody may wait for on a server with one request, parsing aside. */
const longest = 250
const settings = { MINUTEBOOK_MODELS: JSON.stringify({ plain: { window: 400_000_000 }, small: { window: 4096 } }) }

interface Waited {
  readonly name: string
  readonly status: number
  readonly megabytes: number
  readonly waited: number
  readonly allowed: number
}

test('no request keeps others waiting', async () => {
  await using server = await measuredServer({ settings })
  const worker = new Worker(new URL('./livez/poller.ts', import.meta.url), {
    workerData: { url: server.url, pid: server.pid } satisfies PollerData,
  })
  const longestWait = (): Promise<number> =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage('how long?')
    })
  try {
    const lines = await longExport(20_000 * scale)
    const importing = (thread: string): Sent => ({
      path: `/minutebook/v1/threads/${thread}/import`,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    })
    const requests = [
      ...largeChats(scale),
      ...everyKind(scale),
      { name: 'an import', request: () => importing(longThread) },
      {
        name: 'a turn of a long thread',
        request: () => ({
          path: `/minutebook/v1/threads/${longThread}/turns`,
          body: { message: 'How many lemons?', model: 'small' },
        }),
      },
      { name: 'a search behind it', request: () => ({ method: 'GET', path: `/minutebook/v1/search?query=apples` }) },
      {
        name: 'a fork of a long thread',
        request: (unique: string) => ({ path: `/minutebook/v1/threads/${longThread}/fork`, body: { as: unique } }),
      },
      {
        name: 'a long thread erased',
        before: importing,
        request: (unique: string) => ({ path: `/minutebook/v1/threads/${unique}/erase`, body: {} }),
      },
      ...operations(),
    ]
    const waited: Waited[] = []
    for (const request of requests) waited.push(await waitedFor(server, request, longestWait))
    const shown = waited.toSorted((one, other) => other.waited / other.allowed - one.waited / one.allowed)
    console.log(
      `/livez during ${requests.length} requests; the longest five:\n${shown.slice(0, 5).map(line).join('\n')}`,
    )
    if (isLong) console.log(shown.map(line).join('\n'))
    expect(shown.filter(({ waited: each, allowed }) => each > allowed).map(line)).toEqual([])
  } finally {
    await worker.terminate()
  }
}, 3_600_000)

/**
 * The longest wait while a request is answered, and until nothing comes of it any more. Another program may have had
 * the processor: so the least of three counts, if the first is too long.
 */
async function waitedFor(
  server: MeasuredServer,
  { name, before, request }: LargeRequest,
  longestWait: () => Promise<number>,
): Promise<Waited> {
  let least: Waited | undefined
  for (let round = 0; round < 3 && (!least || least.waited > least.allowed); round++) {
    const unique = `unique${name.length}x${round}x${Math.trunc(performance.now())}`
    if (before) await server.send(before(unique))
    const { body, ...rest } = request(unique)
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const parsing = timeOf(() => void (rest.path.endsWith('/import') || sent === undefined || JSON.parse(sent)))
    await longestWait()
    let status = 0
    await server.during(
      async () => void ({ status } = await server.send({ ...rest, ...(sent !== undefined && { body: sent }) })),
    )
    const found = {
      name,
      status,
      megabytes: (sent?.length ?? 0) / 1e6,
      waited: await longestWait(),
      allowed: within(longest) + 3 * parsing,
    }
    if (!least || found.waited < least.waited) least = found
  }
  return least!
}

function timeOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function line({ name, status, megabytes, waited, allowed }: Waited): string {
  return `${waited.toFixed(0).padStart(6)} of ${allowed.toFixed(0)} ms: ${name} (${megabytes.toFixed(1)} MB, ${status})`
}
