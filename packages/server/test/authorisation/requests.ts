import { entryOf } from 'minutebook/store'
import { ringFor } from '../../src/auth/key-ring.ts'
import { waitingThread } from '../../../../tests/support/waiting-thread.ts'
import { experiment, ownRun, ownThread, type Tenant, type World } from './world.ts'

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

/** A PNG of one pixel. */
const smallImage = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Prepare = (place: Place) => Prepared | Promise<Prepared>

const thread = (tenant: Tenant): string => ownThread(tenant)
const onRun =
  (more: Prepared = {}): Prepare =>
  ({ tenant }) => ({ params: { run: ownRun(tenant) }, ...more })
const on =
  (more: Prepared = {}): Prepare =>
  ({ tenant }) => ({ params: { thread: thread(tenant) }, ...more })

/** One for each operation of the document: one that is not here fails the matrix. */
export const requests: Readonly<Record<string, Prepare>> = {
  about: () => ({ isOwn: true }),
  listModels: () => ({ isOwn: true }),
  listTools: () => ({ isOwn: true }),
  listThreads: () => ({ isOwn: true }),
  countThreads: () => ({ isOwn: true }),
  search: ({ world, tenant }) => ({ query: `?query=${world.canaries.said[tenant]}`, isOwn: true }),
  createThread: ({ count }) => ({ body: { thread: `new-${count}` }, isOwn: true }),
  loadExample: () => ({ isOwn: true }),
  getThread: on(),
  listCacheUsage: on(),
  putSetup: on({ body: { system: 'You help.' } }),
  changeMetadata: on({ body: { title: 'Garden' } }),
  removeThread: async ({ world, tenant, count }) => ({ params: { thread: await forked(world, tenant, count) } }),
  listEntries: on(),
  sendTurn: on({ body: { message: 'And now?', ifBusy: 'queue' } }),
  retryTurn: async ({ world, tenant, count }) => ({ params: { thread: await forked(world, tenant, count) } }),
  relayTurn: async ({ world, tenant, count }) => ({
    params: { thread: await forked(world, tenant, count) },
    body: { message: 'And now?' },
  }),
  sendPrompt: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), receipt: await firstCall(world, tenant) },
    body: { messages: [{ role: 'user', content: 'And now?' }], window: 1024 },
  }),
  cancelTurn: on(),
  listWaiting: () => ({ isOwn: true }),
  listOpenCalls: on(),
  listAllCalls: () => ({ isOwn: true }),
  countCalls: () => ({ isOwn: true }),
  decideCall: async ({ world, tenant, count }) => {
    const name = `waits-${tenant}-${count}`
    const call = await waitingThread(world.running.services.stores.of(tenant).store, name)
    return { params: { thread: name }, body: { call, decision: { do: 'refuse' } } }
  },
  getTurn: async ({ world, tenant }) => ({ params: { thread: thread(tenant), turn: await firstTurn(world, tenant) } }),
  streamThread: on({ query: '?until=rest&from=0.0.0' }),
  getState: ({ tenant }) => ({ params: { thread: thread(tenant), state: 'basket' } }),
  forkThread: ({ tenant, count }) => ({ params: { thread: thread(tenant) }, body: { as: `fork-${count}` } }),
  pinEntry: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), entry: await firstTurn(world, tenant) },
  }),
  unpinEntry: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), entry: await firstTurn(world, tenant) },
  }),
  rateEntry: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), entry: await firstTurn(world, tenant) },
    body: { rating: 'up' },
  }),
  unrateEntry: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), entry: await firstTurn(world, tenant) },
  }),
  listFeedback: () => ({ isOwn: true }),
  exportFeedback: () => ({ isOwn: true }),
  eraseThread: async ({ world, tenant, count }) => ({
    params: { thread: await forked(world, tenant, count) },
    body: {},
  }),
  listReceipts: on(),
  dumpCall: on(),
  explainCall: on(),
  getOverview: () => ({ isOwn: true }),
  listCalls: on(),
  inspectCall: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), receipt: await firstCall(world, tenant) },
  }),
  getLane: async ({ world, tenant }) => ({
    params: { thread: thread(tenant), entry: await firstTurn(world, tenant) },
  }),
  getImage: async ({ world, tenant, count }) => {
    const name = `seen-${tenant}-${count}`
    const entry = entryOf({ role: 'user', content: 'Look.', images: [smallImage] }, undefined, {})
    await world.running.services.stores.of(tenant).store.append(name, [entry])
    return { params: { thread: name, entry: entry.id, image: '0' } }
  },
  listCounts: on(),
  verifyThread: on(),
  replayThread: on({ body: { window: 2048 } }),
  exportThread: on(),
  importThread: async ({ world, tenant, count }) => ({
    params: { thread: `imported-${count}` },
    body: await exported(world, tenant),
    headers: { 'content-type': 'application/x-ndjson' },
    isOwn: true,
  }),
  checkExperiment: () => ({ body: { definition: experiment }, isOwn: true }),
  listRuns: () => ({ isOwn: true }),
  beginRun: ({ count }) => ({ body: { definition: experiment, run: `new-${count}` }, isOwn: true }),
  compareRuns: ({ tenant }) => ({ query: `?left=${ownRun(tenant)}&right=${ownRun(tenant)}` }),
  compareOutcomes: ({ tenant }) => ({ query: `?runs=${ownRun(tenant)}` }),
  compareSeries: ({ tenant }) => ({ query: `?runs=${ownRun(tenant)}&variables=total` }),
  getRun: onRun(),
  watchRun: onRun(),
  pauseRun: async ({ world, tenant, count }) => ({
    params: { run: await standingRun(world, tenant, count, 'running') },
  }),
  resumeRun: async ({ world, tenant, count }) => ({
    params: { run: await standingRun(world, tenant, count, 'paused') },
  }),
  stopRun: async ({ world, tenant, count }) => ({ params: { run: await standingRun(world, tenant, count, 'paused') } }),
  retryRun: async ({ world, tenant, count }) => ({
    params: { run: await standingRun(world, tenant, count, 'stopped') },
  }),
  forkRun: ({ tenant, count }) => ({
    params: { run: ownRun(tenant) },
    body: { as: `fork-${tenant}-${count}`, round: 1 },
  }),
  getManifest: onRun(),
  exportRun: onRun({ query: '?format=csv' }),
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
  await as(tenant, 'admin').ask('PUT', `/policies/${name}`, { preset: 'tiered' })
  return name
}

async function key({ running }: World, tenant: Tenant, count: number): Promise<string> {
  const name = `old-${tenant}-${count}`
  await ringFor(running.services.keyRing, { name: '', tenant, scope: 'admin', shown: 'key' }).create({
    name,
    tenant,
    scope: 'viewer',
  })
  return name
}

/**
 * A run that stands so: the one of before, as long as nobody who may has changed that. One that runs has rounds enough
 * for that to be seen.
 */
async function standingRun(
  { as, running }: World,
  tenant: Tenant,
  count: number,
  status: 'running' | 'paused' | 'stopped',
): Promise<string> {
  const experiments = running.services.experiments(tenant)
  const [before] = (await experiments.list()).filter((known) => known.startsWith(`${status}-`))
  if (before !== undefined && status !== 'running' && (await experiments.run(before).board()).status === status)
    return before
  // One of before that goes on would only take time.
  if (before !== undefined)
    await experiments
      .run(before)
      .pause()
      .catch(() => undefined)
  const name = `${status}-${tenant}-${count}`
  await as(tenant, 'app').ask('POST', '/runs', {
    definition: experiment.replace('rounds: 1', status === 'running' ? 'rounds: 400' : 'rounds: 40'),
    run: name,
  })
  const run = experiments.run(name)
  if (status !== 'running') await run.pause()
  if (status === 'stopped') {
    await run.stop()
    for await (const board of run.watch()) if (board.status === 'stopped') break
  }
  return name
}
