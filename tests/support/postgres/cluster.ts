import { once } from 'node:events'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Version } from './cluster-binaries.ts'
import { clusterFiles } from './cluster-files.ts'
import type { Files } from './cluster-files.ts'
import { freePort } from './cluster-port.ts'
import { environment } from './cluster-template.ts'
import { family, gone, killFamily, signal } from './cluster-processes.ts'
import type { Network } from './network.ts'

export interface ClusterOptions {
  readonly version: Version
  /**
   * Off: the disk is not waited for, which is faster; a killed server still loses nothing, a machine without power may.
   * Default true.
   */
  readonly durable?: boolean
  /** Settings of the server, over those of the kit. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  /** An existing folder for the data, such as a small disk. The user of the server must be let in. */
  readonly folder?: string
  /** Where the server lives, if that is not this machine. */
  readonly network?: Network
}

/** A throw-away Postgres server on 127.0.0.1, or in a network of its own. It ends, and its folders go, with the process that started it. */
export interface Cluster {
  readonly version: Version
  readonly port: number
  /** As `minutebook`, who may create databases and is subject to row-level security; database `postgres`. */
  readonly url: string
  /** As the superuser; database `postgres`. */
  readonly superuserUrl: string
  readonly data: string
  /** What the server wrote to its log. */
  readonly log: () => string
  /** The postmaster, then its children; empty when the server is down. */
  readonly pids: () => readonly number[]
  /** Kills the postmaster and all of its children at once, as a power cut would. */
  readonly kill: () => Promise<void>
  /** Starts the server again on the same port, after `kill` or an orderly end. Resolves when it answers. */
  readonly restart: () => Promise<void>
  /** Ends the server for good and removes its folders. */
  readonly stop: () => Promise<void>
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const files = await clusterFiles(options.version, options.folder)
  const { password, endGuard } = files
  let port = await freePort()
  let server: ChildProcess | undefined
  const host = options.network?.address ?? '127.0.0.1'
  const urlAs = (user: string): string => `postgresql://${user}:${password}@${host}:${port}/postgres`
  if (options.network) appendFileSync(join(files.data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 scram-sha-256\n')
  const pids = (): readonly number[] => (server?.pid === undefined ? [] : family(server.pid))

  const start = async (): Promise<void> => {
    server = launch(files, options, port)
    await answers(server, urlAs('postgres'), files.log)
  }
  const end = async (): Promise<void> => {
    const all = pids()
    if (all[0] !== undefined) signal(all[0], 'SIGINT')
    await gone(all)
    await reaped(server)
    server = undefined
  }
  const cluster: Cluster = {
    version: options.version,
    get port() {
      return port
    },
    get url() {
      return urlAs('minutebook')
    },
    get superuserUrl() {
      return urlAs('postgres')
    },
    data: files.data,
    log: () => readFileSync(files.log, 'utf8'),
    pids,
    kill: async () => {
      if (server?.pid !== undefined) await killFamily(server.pid)
      await reaped(server)
      server = undefined
    },
    restart: async () => {
      await end()
      await start()
    },
    stop: async () => {
      await end()
      await endGuard()
    },
  }
  try {
    for (let tries = 1; ; tries++) {
      try {
        await start()
        break
      } catch (error) {
        if (tries === 5 || !cluster.log().includes('could not bind')) throw error
        port = await freePort()
      }
    }
    await query(
      cluster.superuserUrl,
      `create role minutebook login createdb nosuperuser nobypassrls password '${password}'`,
    )
    return cluster
  } catch (error) {
    await cluster.kill()
    await endGuard()
    throw error
  }
}

/** Until then a server that has ended keeps its number, and the next one takes it for alive. */
async function reaped(server: ChildProcess | undefined): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return
  // Else a process that has nothing more to do ends before.
  server.ref()
  await once(server, 'exit')
}

function launch(
  { home, data, log, binaries, user }: Files,
  { durable = true, settings, network }: ClusterOptions,
  port: number,
): ChildProcess {
  const all = {
    listen_addresses: network?.address ?? '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    // Shared memory lies in the folder of the data, so that it goes with it.
    dynamic_shared_memory_type: 'mmap',
    fsync: durable,
    synchronous_commit: 'on',
    full_page_writes: durable,
    ...settings,
  }
  const output = openSync(log, 'a', 0o600)
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(binaries, 'postgres'), '-D', data, ...flags]
  // Root enters the network, and only then becomes another user.
  const [program = '', ...options] =
    network && user
      ? ['nsenter', `--net=${network.path}`, `--setuid=${user.uid}`, `--setgid=${user.gid}`, ...command]
      : command
  const server = spawn(program, options, {
    ...(!network && user),
    cwd: home,
    env: environment(home),
    stdio: ['ignore', output, output],
    detached: true,
  })
  server.on('error', () => undefined)
  closeSync(output)
  server.unref()
  return server
}

async function answers(server: ChildProcess, url: string, log: string): Promise<void> {
  let ended = false
  server.once('exit', () => {
    ended = true
  })
  for (let tries = 0; tries < 6000; tries++) {
    if (server.pid === undefined || ended)
      throw new Error(`Postgres did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`)
    try {
      return await query(url, 'select 1')
    } catch {
      await pause(20)
    }
  }
  throw new Error(`Postgres does not answer:\n${readFileSync(log, 'utf8').slice(-2000)}`)
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end()
  }
}
