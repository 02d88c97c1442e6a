import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fromSources } from '../workshop.ts'

/** A script that runs in a process of its own. */
export interface Script {
  readonly process: ChildProcess
  readonly lines: AsyncIterableIterator<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/**
 * Runs a script of `tests/support` in a process of its own, which works in `folder` if one is given. The caller ends it.
 */
export function spawnScript(script: string, args: readonly string[], folder?: string): Script {
  const file = fileURLToPath(new URL(`../${script}`, import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', '--import', fromSources, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), ended }
}

export async function nextLine({ lines }: Script): Promise<string> {
  const { value, done } = await lines.next()
  return done ? '(it ended)' : value
}
