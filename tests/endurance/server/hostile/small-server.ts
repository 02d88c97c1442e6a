import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { startChild } from '../../../support/process/child.ts'
import { readAddress } from '../../../../packages/server/src/index.ts'
import { gatewayCommand } from '../kill/command.ts'
import { restingOf, type Holding } from '../soak/holding.ts'
import type { NeighbourData, Waited } from './neighbour.ts'

/** A server with a small heap in a process of its own, before a model in a thread of its own. */
export interface SmallServer extends AsyncDisposable {
  readonly url: string
  /** How the process ended; undefined while it lives. */
  ended(): string | undefined
  /** What it holds at rest, after it has thrown away all that nobody holds. */
  resting(): Promise<Holding>
  /** One of its metrics, with its labels. */
  metric(name: string): Promise<number>
  /** A client of a key that asks at a steady pace. */
  neighbour(key: string): Neighbour
}

export interface Neighbour extends AsyncDisposable {
  /** What it waited since it was asked last. */
  waited(): Promise<Waited>
}

/** `heap`: megabytes. `tenants`: each has one key of scope `app`, `key-TENANT`. */
export async function smallServer({
  heap,
  tenants,
  settings = {},
}: {
  readonly heap: number
  readonly tenants: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}): Promise<SmallServer> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-hostile-'))
  const upstream = new Worker(new URL('./upstream.ts', import.meta.url), { execArgv: ['--no-warnings'] })
  const upstreamUrl = await new Promise<string>((resolve, reject) => {
    upstream.once('message', resolve)
    upstream.once('error', reject)
  })
  const keys = tenants.map((tenant) => ({
    name: tenant,
    tenant,
    scope: 'app',
    sha256: createHash('sha256').update(`key-${tenant}`).digest('hex'),
  }))
  const child = await startChild({
    command: gatewayCommand(
      `--max-old-space-size=${heap}`,
      '--expose-gc',
      '--import',
      fileURLToPath(new URL('../soak/probe.ts', import.meta.url)),
    ),
    folder,
    environment: {
      MINUTEBOOK_UPSTREAMS: upstreamUrl,
      MINUTEBOOK_KEYS: JSON.stringify(keys),
      MINUTEBOOK_MODELS: JSON.stringify({ small: { window: 2048 } }),
      ...settings,
    },
    speaks: true,
  })
  const { url, process } = child
  const token = readAddress(folder)?.token ?? ''
  return {
    url,
    ended: () =>
      process.exitCode !== null || process.signalCode !== null
        ? `${process.signalCode ?? process.exitCode}: ${readFileSync(join(folder, 'errors.log'), 'utf8').slice(-1500)}`
        : undefined,
    resting: () => restingOf(child),
    metric: async (name) => {
      const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      )
    },
    neighbour: (key) => {
      const data: NeighbourData = { url, key, pid: process.pid ?? 0, every: 50 }
      const worker = new Worker(new URL('./neighbour.ts', import.meta.url), {
        workerData: data,
        execArgv: ['--no-warnings'],
      })
      return {
        waited: () =>
          new Promise((resolve) => {
            worker.once('message', resolve)
            worker.postMessage('how long?')
          }),
        [Symbol.asyncDispose]: async () => void (await worker.terminate()),
      }
    },
    [Symbol.asyncDispose]: async () => {
      await child.kill()
      await upstream.terminate()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
