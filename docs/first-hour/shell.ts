import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** Where somebody types commands. */
export interface Shell {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** A program in a terminal of its own, which somebody watches. */
export interface Watched {
  /** All that was to be seen so far, without colours. */
  seen(): string
  /** Waits until what was to be seen since the last call ends so. */
  until(end: RegExp): Promise<void>
  type(keys: string): void
  readonly over: Promise<void>
  /** Ends it, whatever it does. */
  kill(): void
}

/** As long as a model takes that records a whole conversation. */
const patience = 600_000

/** Runs a command to its end and gives what it printed. */
export async function runIn(shell: Shell, command: string): Promise<string> {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: shell.folder,
    env: shell.environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patience,
  })
  let output = ''
  for await (const piece of child.stdout.setEncoding('utf8')) output += String(piece)
  return output
}

/** Starts a command in a pseudo terminal of 80 columns, which `script` of Debian's bsdutils makes. */
export function watchIn(shell: Shell, command: string): Watched {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    'script',
    ['-qefc', `stty cols 80 rows 40; exec ${command}`, '/dev/null'],
    { cwd: shell.folder, env: shell.environment, stdio: ['pipe', 'pipe', 'ignore'], detached: true },
  )
  let raw = ''
  let looked = 0
  let notify = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    raw += piece
    notify()
  })
  const over = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const seen = (): string => stripVTControlCharacters(raw).replaceAll('\r', '')
  return {
    seen,
    until: async (end) => {
      const deadline = Date.now() + patience
      while (!end.test(seen().slice(looked))) {
        if (Date.now() > deadline) throw new Error(`${command} does not come to ${end}:\n${seen()}`)
        await new Promise<void>((resolve) => {
          notify = resolve
          setTimeout(resolve, 200)
        })
      }
      looked = seen().length
    },
    type: (keys) => void child.stdin.write(keys),
    over,
    kill: () => {
      try {
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended already.
      }
    },
  }
}
