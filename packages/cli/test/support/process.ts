import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { watch } from '../../../../tests/support/postgres/watch.ts'
import { installCommand } from '../../../../tests/support/process/installed-command.ts'
import { fromSources, publicSources } from '../../../../tests/support/workshop.ts'

/**
 * The command as it is published, made of the sources: `--version` takes an eighth of the processor time that loading
 * a thousand modules takes. One for all test files of a process, and removed when that ends.
 */
const folder = mkdtempSync(join(tmpdir(), 'minutebook-command-'))
watch('/bin/sh', ['-c', 'read -r line; rm -rf -- "$1"', 'guard', folder])
const { file } = await installCommand(folder, { sources: publicSources() })

/** For node. What the bundle does not contain comes from the sources, too. */
export const command: readonly string[] = ['--import', fromSources, file]

/** A command in a process of its own. */
export interface Spawned {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  /** Waits until the standard output has a text. */
  shows(text: string): Promise<string>
  /** Waits until the standard error has a text. */
  says(text: string): Promise<string>
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export function spawnCommand(
  args: readonly string[],
  data: string,
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Spawned {
  const { NO_COLOR: _, VITEST: __, NODE_OPTIONS: ___, ...kept } = process.env
  const child = spawn(process.execPath, [...command, ...args], {
    env: { ...kept, MINUTEBOOK_DATA: data, ...environment },
    stdio: 'pipe',
    ...(folder !== undefined && { cwd: folder }),
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code, signal]: (number | string)[]) => code ?? signal ?? 1)
  const has = async (stream: Readable, read: () => string, text: string): Promise<string> => {
    const over = ended.then((code) => {
      if (!read().includes(text))
        throw new Error(`It ended with ${code} and never showed "${text}": ${output}${errors}`)
    })
    while (!read().includes(text)) await Promise.race([once(stream, 'data'), over])
    return read()
  }
  return {
    child,
    output: () => output,
    errors: () => errors,
    shows: (text) => has(child.stdout, () => output, text),
    says: (text) => has(child.stderr, () => errors, text),
    ended,
  }
}

/** Runs a command in a process of its own, to its end. */
export async function runProcess(
  args: readonly string[],
  data: string,
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<{ readonly code: number | string; readonly output: string; readonly errors: string }> {
  const spawned = spawnCommand(args, data, environment, folder)
  spawned.child.stdin?.end()
  return { code: await spawned.ended, output: spawned.output(), errors: spawned.errors() }
}
