import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Session } from './play.ts'

/** What an agent speaks to. `served`: the gateway, before a model server that serves `/v1/responses` itself. */
export type SessionMode = 'direct' | 'gateway' | 'served'

export interface SessionOptions {
  /** The place of the agent in `agents`. */
  readonly agent: number
  /** Tool calls that it is asked for. */
  readonly calls: number
  /** The window of the model server, in tokens. */
  readonly window: number
  readonly mode: SessionMode
}

/**
 * Plays a session of a real agent in a network namespace that has nothing but its own loopback, with model server and
 * gateway inside of it: agents talk to their makers.
 */
export async function playSession({ agent, calls, window, mode }: SessionOptions): Promise<Session> {
  const here = import.meta.dirname
  const words = [process.execPath, '--no-warnings', '--import', join(here, '../support/from-sources.ts')]
  const command = [...words, join(here, 'play.ts'), agent, calls, window, mode].map((word) => `'${word}'`).join(' ')
  const { stdout } = await promisify(execFile)('unshare', ['-n', 'sh', '-c', `ip link set lo up && exec ${command}`], {
    maxBuffer: 16 << 20,
  })
  return JSON.parse(stdout) as Session
}
