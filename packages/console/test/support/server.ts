import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import type { Store } from 'minutebook'
import type { Config, Running } from '../../../server/src/index.ts'
import { scopes, type Scope } from '../../../server/src/config/caller.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'

/** A real server with the console, a strict upstream behind it, and a key of every scope. */
export interface ConsoleServer {
  readonly running: Running
  readonly upstream: StrictUpstream
  /** Of the console, without a slash at the end. */
  readonly url: string
  readonly store: Store
  readonly keyOf: (scope: Scope) => string
  readonly as: (scope: Scope) => Native
}

export interface ConsoleServerOptions {
  readonly upstream?: StrictUpstreamOptions | undefined
  /** Shared with another instance. */
  readonly behind?: StrictUpstream | undefined
  /** Without keys, whoever reaches the server is an app. */
  readonly keys?: boolean | undefined
  readonly settings?: Partial<Config> | undefined
  /** Of the built page. Default: CONSOLE_FOLDER, or what is built here. */
  readonly folder?: string | undefined
}

/**
 * With CONSOLE_INSTANCES=2, a server is two instances before a Postgres, unless a test names its store: the pages are on
 * one, and what a test asks for with `as` is done by the other.
 */
const shared = process.env['CONSOLE_INSTANCES'] === '2' ? testDatabase() : undefined

const keyOf = (scope: Scope): string => `key-of-the-${scope}`

export async function consoleServer({
  upstream: options,
  behind,
  keys = true,
  settings = {},
  folder = process.env['CONSOLE_FOLDER'],
}: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const upstream = behind ?? (await strictUpstream(options))
  if (!behind) onTestFinished(() => upstream.close())
  const hasOwnStore = settings.database !== undefined || settings.data !== undefined
  const isShared = shared !== undefined && !hasOwnStore
  const store = isShared ? { database: (await shared.fresh()).url } : {}
  const start = (): Promise<Running> =>
    gateway(
      {
        upstreams: [{ url: upstream.url }],
        defaultModel: 'strict',
        keys: keys
          ? scopes.map((scope) => ({
              name: scope,
              tenant: 'default',
              scope,
              decide: scope === 'app',
              sha256: createHash('sha256').update(keyOf(scope)).digest('hex'),
            }))
          : [],
        ...settings,
        ...store,
      },
      { consoleFolder: folder },
    )
  const running = await start()
  const asked = isShared ? await start() : running
  return {
    running,
    upstream,
    url: `${running.url}/console`,
    store: running.services.stores.of('default').store,
    keyOf,
    as: (scope) => native(asked.url, keys ? keyOf(scope) : scope === 'admin' ? asked.token : ''),
  }
}
