import { fileURLToPath } from 'node:url'
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { within } from '../patience.ts'

/** The program of a gateway: settings come from its environment, and it prints its address. */
export const gatewayProgram: string = fileURLToPath(new URL('./gateway-process.ts', import.meta.url))

/** A server in a process of its own. */
export interface Child {
  readonly url: string
  readonly process: ChildProcess
  /** Lets it end by itself, and after ten seconds no more. */
  stop(): Promise<void>
  /** As a power cut does. */
  kill(): Promise<void>
}

export interface ChildOptions {
  readonly command: readonly string[]
  /** Where it keeps what it keeps, and leaves its address. */
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  /** Whether it can be spoken to with `process.send`. */
  readonly speaks?: boolean
}

/**
 * Starts a server and waits until it has left its address in `server.json` of its folder, as `minutebook serve` does.
 * It listens on any free port.
 */
export async function startChild({
  command: [program = process.execPath, ...args],
  folder,
  environment = {},
  speaks = false,
}: ChildOptions): Promise<Child> {
  mkdirSync(folder, { recursive: true })
  rmSync(addressIn(folder), { force: true })
  const env = { ...process.env, MINUTEBOOK_DATA: folder, MINUTEBOOK_PORT: '0', ...environment }
  const errors = openSync(join(folder, 'errors.log'), 'a')
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', errors, ...(speaks ? ['ipc' as const] : [])] })
  closeSync(errors)
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const kill = (): Promise<void> => (child.kill('SIGKILL'), ended)
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), within(10_000))
    await ended
    clearTimeout(late)
  }
  return { url: await urlIn(folder, child), process: child, stop, kill }
}

async function urlIn(folder: string, child: ChildProcess): Promise<string> {
  for (let waited = 0; waited < within(60_000); waited += 20) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `The server ended before it listened, with ${child.exitCode ?? child.signalCode}:\n${readFileSync(join(folder, 'errors.log'), 'utf8').slice(-2000)}`,
      )
    }
    const url = readUrl(addressIn(folder))
    if (url !== undefined) return url
    await pause(20)
  }
  child.kill('SIGKILL')
  throw new Error(`The server left no address in ${addressIn(folder)} within a minute.`)
}

function addressIn(folder: string): string {
  return join(folder, 'server.json')
}

function readUrl(address: string): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(address, 'utf8')) as { readonly url?: unknown }
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}
