import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../../support/postgres/cluster-template.ts'
import type { User } from '../../../support/postgres/cluster-user.ts'

export interface ServerOptions {
  /** The folder it works in, and whose file `log` it writes to. */
  readonly folder: string
  readonly user: User | undefined
}

/** Starts a program that stays in the foreground. It is ended by the folder that it works in. */
export function startServer(program: string, args: readonly string[], { folder, user }: ServerOptions): void {
  const output = openSync(join(folder, 'log'), 'a', 0o600)
  const server = spawn(program, args, {
    ...user,
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', output, output],
    detached: true,
  })
  server.on('error', (error) => console.error(`${program} does not start: ${error.message}`))
  closeSync(output)
  server.unref()
}

/** The end of what the servers of a folder had to say. */
export function lastWords(folder: string): string {
  try {
    return readFileSync(join(folder, 'log'), 'utf8').slice(-3000)
  } catch {
    return '(no log)'
  }
}
