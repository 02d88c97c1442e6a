import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import type { Store } from 'minutebook'
import type { Config, Running } from '../../../server/src/index.ts'
import { scopes, type Scope } from '../../../server/src/config/caller.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
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
}

const keyOf = (scope: Scope): string => `key-of-the-${scope}`

export async function consoleServer({
  upstream: options,
  behind,
  keys = true,
  settings = {},
}: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const upstream = behind ?? (await strictUpstream(options))
  if (!behind) onTestFinished(() => upstream.close())
  const running = await gateway(
    {
      upstreams: [{ url: upstream.url }],
      defaultModel: 'strict',
      keys: keys
        ? scopes.map((scope) => ({
            name: scope,
            tenant: 'default',
            scope,
            sha256: createHash('sha256').update(keyOf(scope)).digest('hex'),
          }))
        : [],
      ...settings,
    },
    { consoleFolder: process.env['CONSOLE_FOLDER'] },
  )
  return {
    running,
    upstream,
    url: `${running.url}/console`,
    store: running.services.stores.of('default').store,
    keyOf,
    as: (scope) => native(running.url, keys ? keyOf(scope) : scope === 'admin' ? running.token : ''),
  }
}
