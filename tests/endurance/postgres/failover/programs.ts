import { existsSync } from 'node:fs'
import { binariesOf } from '../../../support/postgres/cluster-binaries.ts'

/** The programs of a group of nodes, as Debian installs them. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  readonly haproxy: string
  /** The folder of Postgres's own. */
  readonly postgres: string
}

export function findPrograms(folder: string): Programs {
  const programs = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' }
  const missing = Object.entries(programs)
    .filter(([, path]) => !existsSync(path))
    .map(([name]) => name)
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join(', ')}. Install Debian's patroni, python3-etcd, etcd-server and haproxy, without starting their services.`,
    )
  return { ...programs, postgres: binariesOf(15, folder) }
}
