import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fromSources } from '../workshop.ts'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly process: ChildProcess
  readonly lines: AsyncIterableIterator<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** Runs a script of this folder in a process of its own, which ends with the test at the latest. */
export function startChild(script: string, ...args: string[]): Child {
  const file = new URL(`./${script}`, import.meta.url).pathname
  const child = spawn(process.execPath, ['--no-warnings', '--import', fromSources, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), ended }
}

export async function nextLine({ lines }: Child): Promise<string> {
  const { value, done } = await lines.next()
  return done ? '(it ended)' : value
}
