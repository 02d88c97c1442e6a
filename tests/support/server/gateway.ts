import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { defaults, serve, type Config, type Running, type ServeOptions } from '../../../packages/server/src/index.ts'

/** A folder that goes when the test is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-server-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The settings of a server for one test: any free port, a folder of its own. */
export function testConfig(settings: Partial<Config> = {}): Config {
  return { ...defaults({}), port: 0, data: temporaryFolder(), ...settings }
}

/** A server that is closed when the test is done. */
export async function gateway(settings: Partial<Config> = {}, options: ServeOptions = {}): Promise<Running> {
  const running = await serve(testConfig(settings), { log: 'silent', ...options })
  onTestFinished(() => running.close({ patience: 0 }))
  return running
}

/** A server with a strict upstream behind it. */
export async function gatewayBefore(
  upstreamOptions: StrictUpstreamOptions = {},
  settings: Partial<Config> = {},
  options: ServeOptions = {},
): Promise<{ readonly upstream: StrictUpstream; readonly running: Running }> {
  const upstream = await strictUpstream(upstreamOptions)
  onTestFinished(() => upstream.close())
  return { upstream, running: await gateway({ upstreams: [{ url: upstream.url }], ...settings }, options) }
}
