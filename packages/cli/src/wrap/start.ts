import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants as systemConstants, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Terminal } from '../terminal/terminal.ts'
import type { AgentSetup } from './agents.ts'

/** The file of a program that a shell would find. */
export function findProgram(name: string, { PATH = '' }: Terminal['environment']): string | undefined {
  return PATH.split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => isProgram(file))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Calls `use` with a folder that only this user can read, and that is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-wrap-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs an agent in the terminal of this process, and passes signals on to it. Resolves with its exit code, and with that
 * of a shell if a signal ended it.
 */
export async function runAgent(
  program: string,
  { environment, args, files }: AgentSetup,
  { folder, terminal }: { readonly folder: string; readonly terminal: Terminal },
): Promise<number> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const child = spawn(program, args, {
    cwd: terminal.folder,
    // The user's own key may be able to do more than the agent's.
    env: { ...terminal.environment, MINUTEBOOK_KEY: undefined, ...environment },
    stdio: 'inherit',
  })
  const stop = passSignals(child, terminal)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code, signal) => resolve(code ?? 128 + systemConstants.signals[signal ?? 'SIGTERM']))
    })
  } finally {
    stop()
  }
}

/** Returns what ends it. */
function passSignals(child: ChildProcess, { input }: Terminal): () => void {
  const listeners = (['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    // A terminal sends Ctrl-C to the agent by itself. A second one could make it exit at once.
    const isSent = input.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT')
    const listener = (): void => void (isSent || child.kill(signal))
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => listeners.forEach((end) => end())
}
