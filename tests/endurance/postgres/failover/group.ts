import { setTimeout as pause } from 'node:timers/promises'
import { haproxyConfiguration } from './haproxy.ts'
import type { Home } from './home.ts'
import { createNode, type Node } from './node.ts'
import { choosePlaces, local } from './place.ts'
import { findPrograms } from './programs.ts'
import { query } from './query.ts'
import { lastWords, startServer } from './server.ts'
import type { Settings } from './settings.ts'

/** Three nodes, one of them the primary, and the way to it. */
export interface Group {
  /** What works in its folder ends with the group. */
  readonly home: Home
  /** To the primary, through haproxy: the database `book`, as the role that owns it. */
  readonly url: string
  /** To one of the nodes itself. */
  readonly urlOf: (node: Node) => string
  readonly primary: () => Promise<Node>
  /** Resolves when all three nodes work and, where commits wait for a replica, there is one that they wait for. */
  readonly healthy: () => Promise<void>
}

export async function startGroup(home: Home, settings: Settings): Promise<Group> {
  const programs = findPrograms(home.folder)
  const { places, haproxy } = await choosePlaces(['n1', 'n2', 'n3'])
  const nodes = places.map((place) => createNode(place, { home, programs, places, settings }))
  const urlAt = (port: number, role: string, database: string): string =>
    `postgresql://${role}:${home.password}@${local(port)}/${database}`
  const superuser = urlAt(haproxy, 'postgres', 'postgres')

  const primary = async (): Promise<Node> => {
    for (const node of nodes) if (await isPrimary(node)) return node
    throw new Error('There is no primary now.')
  }
  const healthy = async (): Promise<void> => {
    for (const end = Date.now() + 300_000; Date.now() < end; await pause(250))
      if (await isHealthy(superuser, primary, settings.synchronous).catch(() => false)) return
    throw new Error(
      `The nodes do not find together.\n${nodes.map((node) => `${node.name}:\n${node.lastWords()}`).join('\n')}\nhaproxy:\n${lastWords(way)}`,
    )
  }

  for (const node of nodes) node.start()
  const way = home.makeFolder('haproxy')
  const configuration = home.write('haproxy/haproxy.cfg', haproxyConfiguration(haproxy, nodes))
  startServer(programs.haproxy, ['-db', '-f', configuration], { folder: way, user: home.user })
  await healthy()
  await query(superuser, `create role minutebook login createdb nosuperuser nobypassrls password '${home.password}'`)
  await query(superuser, 'create database book owner minutebook')
  return {
    home,
    url: urlAt(haproxy, 'minutebook', 'book'),
    urlOf: ({ postgres }) => urlAt(postgres, 'minutebook', 'book'),
    primary,
    healthy,
  }
}

/** Only the primary says yes. */
async function isPrimary(node: Node): Promise<boolean> {
  try {
    return (await ask(node, 'primary')).ok
  } catch {
    return false
  }
}

/** What Postgres says of the replicas, and what Patroni has on record for the case that the primary dies now. */
async function isHealthy(superuser: string, primary: () => Promise<Node>, synchronous: boolean): Promise<boolean> {
  const [replicas] = await query(
    superuser,
    "select count(*)::int as replicas from pg_stat_replication where state = 'streaming'",
  )
  if (replicas?.['replicas'] !== 2) return false
  const answer = await ask(await primary(), 'cluster')
  const { members } = (await answer.json()) as {
    readonly members: readonly { readonly role: string; readonly state: string }[]
  }
  return (
    members.length === 3 &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    (!synchronous || members.some(({ role }) => role === 'sync_standby'))
  )
}

function ask(node: Node, path: string): Promise<Response> {
  return fetch(`http://${local(node.patroni)}/${path}`, { signal: AbortSignal.timeout(2000) })
}
