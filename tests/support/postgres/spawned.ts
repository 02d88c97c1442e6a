import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fromSources } from '../workshop.ts'

export interface Child {
  readonly process: ChildProcess
  readonly lines: AsyncIterableIterator<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/**
 * Runs a script of this folder in a process of its own, which works in a folder where one is given. Whoever starts it
 * ends it.
 */
export function spawnChild(script: string, args: readonly string[], folder?: string): Child {
  const file = new URL(`./${script}`, import.meta.url).pathname
  const child = spawn(process.execPath, ['--no-warnings', '--import', fromSources, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), ended }
}

export async function nextLine({ lines }: Child): Promise<string> {
  const { value, done } = await lines.next()
  return done ? '(it ended)' : value
}
