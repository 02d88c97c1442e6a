import { printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { hash } from 'node:crypto'
import { constants, hostname, userInfo } from 'node:os'
import { aboutServer, remoteKeys } from '../connection/remote-archive.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { AgentTarget } from './agents.ts'

/**
 * Calls `use` with the key for an agent. A key that may do more than an agent needs is not given to it: a new one with
 * the scope app is made with it for this run, and revoked afterwards. The keys of all runs of a user in a folder of a
 * machine have one name, so the agent finds its threads again. Throws if no such key can be made, and for the key of an
 * app that may approve calls.
 *
 * Returns the exit code that `use` returns. If a signal comes before the key is there, `use` is not called, and the code
 * is that of a shell for the signal.
 */
export async function withAgentKey(
  terminal: Terminal,
  { url, key }: Pick<AgentTarget, 'url' | 'key'>,
  use: (key: string | undefined) => Promise<number>,
): Promise<number> {
  const tenant = key === undefined ? undefined : await tenantOfAdmin(url, key)
  if (tenant === undefined) return use(key)
  const keys = remoteKeys({ url, token: key, within: longestWait })
  // A signal that ended this process would leave the key behind.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
  const came: NodeJS.Signals[] = []
  const stay = (signal: NodeJS.Signals): void => void came.push(signal)
  for (const signal of signals) process.on(signal, stay)
  const name = keyNameOf(userName(), hostname(), terminal.folder)
  try {
    const made = await keys.create({ name, tenant, scope: 'app', expiresIn: longestRun })
    try {
      const [signal] = came
      return signal === undefined ? await use(made.key) : 128 + constants.signals[signal]
    } finally {
      const sha256 = hash('sha256', made.key)
      await keys.revoke(name, sha256).catch((error: unknown) => {
        const why = MinutebookError.isInstance(error) ? error.problem : String(error)
        terminal.remark(
          `${terminal.paintErrors.yellow('!')} The key of this run was not revoked (${printableLine(why)}) It ends at ${made.expires}. To revoke it now: ${terminal.command(`keys revoke ${name} --sha256 ${sha256}`)}`,
        )
      })
    }
  } finally {
    for (const signal of signals) process.off(signal, stay)
  }
}

/** Milliseconds for an answer about keys: signals wait that long. */
const longestWait = 5000

/** Seconds. A run that is killed leaves its key behind, so the key ends by itself: after a week. */
const longestRun = 604_800

/**
 * Undefined if the key has no rights of an admin. A key for chats alone may not even ask. Throws if the key is not an
 * admin's, but may approve: it can make no other key, and an agent must not approve its own calls.
 */
async function tenantOfAdmin(url: string, key: string): Promise<string | undefined> {
  try {
    const { scope, tenant, approves } = await aboutServer({ url, token: key, within: longestWait })
    if (scope === 'admin') return tenant
    if (!approves) return undefined
    throw new MinutebookError(
      'key_approves',
      'This key may approve calls, so the agent could approve its own.',
      'Pass a key without "decide", or that of an admin, with --key or MINUTEBOOK_KEY: minutebook keys create NAME',
    )
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'only_chats') return undefined
    throw error
  }
}

/** The name of the keys of all runs of a user in one folder of one machine. */
export function keyNameOf(user: string, machine: string, folder: string): string {
  return `wrap-${user.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}-${hash('sha256', `${user}\n${machine}\n${folder}`).slice(0, 10)}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // The system has no name for this user.
    return String(process.getuid?.() ?? 'user')
  }
}
