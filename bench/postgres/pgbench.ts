import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pgbenchScript, pgbenchValues } from './pgbench-script.ts'
import { connectionTime, othersShare, processorTime, type ProcessorTime } from './processor-time.ts'
import type { Server } from './server.ts'
import type { Played, Round, Side } from './side.ts'
import type { SeededThreads } from './threads.ts'

/** Postgres' own load generator, in C, on two threads, with prepared statements. */
export function pgbenchSide(
  { cluster }: Server,
  url: string,
  threads: SeededThreads,
  { pipelined }: { readonly pipelined: boolean },
): Side {
  return {
    name: pipelined ? 'pgbench, pipelined' : 'pgbench',
    play: async (round) => {
      const folder = mkdtempSync(join(tmpdir(), 'minutebook-pgbench-'))
      const file = join(folder, `${round.operation}.sql`)
      writeFileSync(file, pgbenchScript(round.operation, threads, pipelined))
      const child = launch(file, url, round)
      try {
        return await follow(child, cluster.pids, round)
      } finally {
        if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit')
        rmSync(folder, { recursive: true })
      }
    },
  }
}

/** Where pgbench is, or undefined. */
function findPgbench(): string | undefined {
  return ['/usr/lib/postgresql/15/bin/pgbench', '/usr/bin/pgbench'].find((path) => existsSync(path))
}

function launch(file: string, url: string, { clients, warmSeconds, seconds }: Round): ChildProcess {
  const program = findPgbench()
  if (program === undefined) throw new Error("pgbench is not installed: install Debian's postgresql-15.")
  const { username, password, hostname, port, pathname } = new URL(url)
  const values = Object.entries(pgbenchValues()).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  // It goes on until it is stopped, so that all of its clients work while they are counted.
  const flags = [
    '-n',
    '-M',
    'prepared',
    '-P',
    '1',
    '-j',
    String(Math.min(2, clients)),
    '-c',
    String(clients),
    '-T',
    String(warmSeconds + seconds + 5),
    '-f',
    file,
  ]
  return spawn(program, [...flags, ...values, '-h', hostname, '-p', port, '-U', username, pathname.slice(1)], {
    env: { PGPASSWORD: password, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Reads what it reports every second; the first ones are for warming up. */
async function follow(
  child: ChildProcess,
  serverPids: () => readonly number[],
  { warmSeconds, seconds }: Round,
): Promise<Played> {
  const rates: number[] = []
  const used = (): Used => ({
    all: processorTime(serverPids(), [child.pid!]),
    own: processorTime([], [child.pid!]).measured,
  })
  let before = used()
  let said = ''
  for await (const chunk of child.stderr!) {
    const lines = (said + String(chunk)).split('\n')
    said = lines.pop()!
    for (const line of lines) {
      const rate = /^progress: \S+ s, (\S+) tps,.* 0 failed/.exec(line)?.[1]
      if (rate === undefined) throw new Error(`pgbench: ${line}`)
      rates.push(Number(rate))
      if (rates.length === warmSeconds) before = used()
      if (rates.length === warmSeconds + seconds) return played(rates.slice(warmSeconds), before, used())
    }
  }
  throw new Error(`pgbench ended early: ${said}`)
}

interface Used {
  readonly all: ProcessorTime
  readonly own: number
}

function played(rates: readonly number[], before: Used, after: Used): Played {
  const operations = rates.reduce((sum, rate) => sum + rate, 0)
  return {
    rate: operations / rates.length,
    serverTime: (connectionTime(before.all, after.all) * 1e6) / operations,
    clientTime: ((after.own - before.own) * 1e6) / operations,
    othersShare: othersShare(before.all, after.all),
  }
}
