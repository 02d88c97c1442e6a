import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaults, serve, type Running } from '../../../src/index.ts'

/** An upstream that is asked straight, and one of the same kind behind a gateway. */
export interface Pair {
  readonly bare: StrictUpstream
  readonly upstream: StrictUpstream
  readonly running: Running
}

/** One pair for all tests that need the same upstream: to start a server takes longer than to ask it. */
export interface Pairs {
  of(options?: StrictUpstreamOptions): Promise<Pair>
  close(): Promise<void>
}

export function createPairs(): Pairs {
  const pairs = new Map<string, Promise<Pair>>()
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-pairs-'))
  const open = async (options: StrictUpstreamOptions, number: number): Promise<Pair> => {
    const [bare, upstream] = await Promise.all([strictUpstream(options), strictUpstream(options)])
    const running = await serve(
      { ...defaults({}), port: 0, data: join(folder, String(number)), upstreams: [{ url: upstream.url }] },
      { log: 'silent' },
    )
    return { bare, upstream, running }
  }
  return {
    of: (options = {}) => {
      const kind = JSON.stringify(options)
      const pair = pairs.get(kind) ?? open(options, pairs.size)
      pairs.set(kind, pair)
      return pair
    },
    close: async () => {
      for (const { bare, upstream, running } of await Promise.all(pairs.values()))
        await Promise.all([bare.close(), upstream.close(), running.close({ patience: 0 })])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
