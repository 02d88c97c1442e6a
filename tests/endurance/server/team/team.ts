import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from '../../../support/process/child.ts'
import { freePort } from '../../../support/postgres/cluster-port.ts'
import { gatewayCommand } from '../kill/command.ts'
import { within } from '../../../support/patience.ts'

/** A process that serves, at an address that it keeps when it is started again. */
export interface Instance {
  readonly name: string
  readonly url: string
  /** As a power cut does. */
  kill(): Promise<void>
  /** SIGTERM, and waits until it has ended by itself; a minute at most. */
  stop(): Promise<void>
  /** Starts it again, with another command if there is one from now on, and waits until it is ready. */
  start(command?: readonly string[]): Promise<void>
}

export interface Team {
  readonly instances: readonly [Instance, Instance]
  /** Where the instances keep their logs. */
  readonly folder: string
  close(): Promise<void>
}

export interface TeamOptions {
  readonly database: string
  readonly upstream: string
  readonly environment?: Readonly<Record<string, string>>
  /** How an instance is started. Default: the sources. */
  readonly command?: readonly string[]
}

/** Two instances on one database. */
export async function startTeam(options: TeamOptions): Promise<Team> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-team-'))
  const start = (name: string): Promise<Instance> => startInstance(name, join(folder, name), options)
  const instances = await Promise.all([start('one'), start('two')])
  const close = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  return { instances, folder, close }
}

async function startInstance(
  name: string,
  folder: string,
  { database, upstream, environment = {}, command: first = gatewayCommand() }: TeamOptions,
): Promise<Instance> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let command = first
  const begin = (): Promise<Child> =>
    startChild({
      command,
      folder,
      environment: {
        MINUTEBOOK_PORT: String(port),
        MINUTEBOOK_DATABASE: database,
        MINUTEBOOK_UPSTREAMS: upstream,
        ...environment,
      },
    })
  let child: Child | undefined = await begin()
  const stop = async (): Promise<void> => {
    const ending = child?.process
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise<void>((resolve) => void ending.once('exit', () => resolve()))
    ending.kill('SIGTERM')
    const late = setTimeout(() => ending.kill('SIGKILL'), within(60_000))
    await ended
    clearTimeout(late)
  }
  return {
    name,
    url,
    kill: async () => {
      await child?.kill()
      child = undefined
    },
    stop,
    start: async (other = command) => {
      command = other
      child ??= await begin()
      await ready(url)
    },
  }
}

/** Waits until a server takes requests. */
export async function ready(url: string): Promise<void> {
  for (let waited = 0; waited < within(60_000); waited += 50) {
    const isReady = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} was not ready in time.`)
}
