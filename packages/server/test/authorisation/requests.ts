import { ringFor } from '../../src/key-ring.ts'
import { ownThread, type Tenant, type World } from './world.ts'

/** A request that an operation would answer for whoever may. */
export interface Prepared {
  /** Of the documented path. */
  readonly params?: Readonly<Record<string, string>>
  /** '' or '?…'. */
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Names nothing that another tenant has: what it names is new, or is one's own under any name. */
  readonly isOwn?: boolean
}

interface Place {
  readonly world: World
  /** Whose things are named. */
  readonly tenant: Tenant
  /** Differs with each request. */
  readonly count: number
}

type Prepare = (place: Place) => Prepared | Promise<Prepared>

const thread = (tenant: Tenant): string => ownThread(tenant)
const on = (more: Prepared = {}): Prepare => ({ tenant }) => ({ params: { thread: thread(tenant) }, ...more })

/** One for each operation of the document: one that is not here fails the matrix. */
export const requests: Readonly<Record<string, Prepare>> = {
  about: () => ({ isOwn: true }),
  listTools: () => ({ isOwn: true }),
  listThreads: () => ({ isOwn: true }),
  search: ({ world, tenant }) => ({ query: `?query=${world.canaries.said[tenant]}`, isOwn: true }),
  createThread: ({ count }) => ({ body: { thread: `new-${count}` }, isOwn: true }),
  getThread: on(),
  putSetup: on({ body: { system: 'You help.' } }),
  listEntries: on(),
  sendTurn: on({ body: { message: 'And now?', ifBusy: 'queue' } }),
  retryTurn: async ({ world, tenant, count }) => ({ params: { thread: await forked(world, tenant, count) } }),
  relayTurn: async ({ world, tenant, count }) => ({ params: { thread: await forked(world, tenant, count) }, body: { message: 'And now?' } }),
  cancelTurn: on(),
  getTurn: async ({ world, tenant }) => ({ params: { thread: thread(tenant), turn: await firstTurn(world, tenant) } }),
  streamThread: on({ query: '?until=rest&from=0.0.0' }),
  getState: ({ tenant }) => ({ params: { thread: thread(tenant), state: 'basket' } }),
  forkThread: ({ tenant, count }) => ({ params: { thread: thread(tenant) }, body: { as: `fork-${count}` } }),
  eraseThread: async ({ world, tenant, count }) => ({ params: { thread: await forked(world, tenant, count) }, body: {} }),
  listReceipts: on(),
  dumpCall: on(),
  explainCall: on(),
  listCalls: on(),
  inspectCall: async ({ world, tenant }) => ({ params: { thread: thread(tenant), receipt: await firstCall(world, tenant) } }),
  listCounts: on(),
  verifyThread: on(),
  replayThread: on({ body: { window: 2048 } }),
  exportThread: on(),
  importThread: async ({ world, tenant, count }) => ({ params: { thread: `imported-${count}` }, body: await exported(world, tenant), headers: { 'content-type': 'application/x-ndjson' }, isOwn: true }),
  listPolicies: () => ({ isOwn: true }),
  putPolicy: ({ count }) => ({ params: { policy: `policy-${count}` }, body: { preset: 'tiered' }, isOwn: true }),
  deletePolicy: async ({ world, tenant, count }) => ({ params: { policy: await policy(world, tenant, count) } }),
  listKeys: () => ({ isOwn: true }),
  createKey: ({ count }) => ({ body: { name: `key-${count}`, scope: 'viewer' }, isOwn: true }),
  revokeKey: async ({ world, tenant, count }) => ({ params: { key: await key(world, tenant, count) } }),
}

/** The documented path with what is asked for in its places. */
export function pathOf(documented: string, { params = {} }: Prepared): string {
  return documented.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `{${name}}`)
}

async function forked({ running }: World, tenant: Tenant, count: number): Promise<string> {
  const as = `copy-${tenant}-${count}`
  await running.services.stores.of(tenant).book.thread(thread(tenant)).fork({ as })
  return as
}

async function firstTurn({ running }: World, tenant: Tenant): Promise<string> {
  const entries = await running.services.stores.of(tenant).store.read(thread(tenant))
  return entries.find(({ kind }) => kind === 'user')?.id ?? ''
}

async function firstCall({ running }: World, tenant: Tenant): Promise<string> {
  const entries = await running.services.stores.of(tenant).store.read(thread(tenant))
  return entries.find(({ kind }) => kind === 'receipt')?.id ?? ''
}

async function exported({ running }: World, tenant: Tenant): Promise<string> {
  const lines: string[] = []
  for await (const line of running.services.stores.of(tenant).book.thread(thread(tenant)).export()) lines.push(line)
  return lines.join('\n')
}

async function policy({ as }: World, tenant: Tenant, count: number): Promise<string> {
  const name = `old-${tenant}-${count}`
  await as(tenant, 'operator').ask('PUT', `/policies/${name}`, { preset: 'tiered' })
  return name
}

async function key({ running }: World, tenant: Tenant, count: number): Promise<string> {
  const name = `old-${tenant}-${count}`
  await ringFor(running.services.keyRing, { name: '', tenant, scope: 'operator', shown: 'key' }).create({ name, tenant, scope: 'viewer' })
  return name
}
