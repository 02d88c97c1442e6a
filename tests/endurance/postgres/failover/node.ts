import { join } from 'node:path'
import { signal } from '../../../support/postgres/cluster-processes.ts'
import { etcdArguments } from './etcd.ts'
import type { Home } from './home.ts'
import { patroniConfiguration } from './patroni.ts'
import type { Place } from './place.ts'
import type { Programs } from './programs.ts'
import { freezeResidents, killResidents, residents, thawResidents, titleOf } from './residents.ts'
import { lastWords, startServer } from './server.ts'
import type { Death, Settings } from './settings.ts'

/** One of the three: a Postgres, its Patroni and an etcd. */
export interface Node extends Place {
  /**
   * Starts what does not run, and lets go on what is frozen. Patroni then starts Postgres as what the others let it be.
   */
  readonly start: () => void
  /** Replicas get nothing more from it; clients notice only if it waits for them. */
  readonly stall: () => void
  /** All that dies goes at once, as in a power cut; or hangs, and its connections with it. */
  readonly kill: (death: Death) => Promise<void>
  readonly lastWords: () => string
}

export interface NodeOptions {
  readonly home: Home
  readonly programs: Programs
  readonly places: readonly Place[]
  readonly settings: Settings
}

export function createNode(place: Place, { home, programs, places, settings }: NodeOptions): Node {
  const { name } = place
  const { user, password } = home
  const machine = home.makeFolder(name)
  const etcd = home.makeFolder(`${name}/etcd`)
  const postgres = home.makeFolder(`${name}/postgres`)
  const configuration = home.write(
    `${name}/postgres/patroni.yml`,
    patroniConfiguration({ place, places, folder: postgres, binaries: programs.postgres, password, settings }),
  )
  return {
    ...place,
    start: () => {
      thawResidents(machine)
      if (residents(etcd).length === 0)
        startServer(programs.etcd, etcdArguments(place, places, join(etcd, 'data')), { folder: etcd, user })
      if (residents(postgres).length === 0) startServer(programs.patroni, [configuration], { folder: postgres, user })
    },
    stall: () => {
      for (const pid of residents(postgres)) if (titleOf(pid).includes('walsender')) signal(pid, 'SIGSTOP')
    },
    kill: async (death) => {
      if (death === 'freeze') freezeResidents(postgres)
      else await killResidents(death === 'machine' ? machine : postgres)
    },
    lastWords: () => `${lastWords(etcd)}\n${lastWords(postgres)}`,
  }
}
