import {
  examineDatabase,
  printableLine,
  roleProblem,
  storeFile,
  type Archive,
  type ThreadVerification,
} from '@minutebook/server'
import { access, constants, statfs } from 'node:fs/promises'
import { isActive } from '../connection/active-key.ts'
import type { Connection } from '../connection/connection.ts'
import { counted, databaseHost, figure, homePath, someOf } from '../terminal/text.ts'
import { bad, type Check, ok, warn } from './check.ts'

/** Whether the store can be written, has space left, and is intact. */
export async function storeChecks(connection: Connection): Promise<Check[]> {
  const { config, file, server } = connection
  // A server that was named by its address may be on another machine.
  const isElsewhere = server !== undefined && server.pid === undefined
  const place = isElsewhere
    ? []
    : file !== undefined
      ? [ok('store', `${homePath(file)} can be read; this command never writes to it`)]
      : config.database === undefined
        ? await fileCheck(config.data)
        : [
            ok('store', `Postgres at ${databaseHost(config.database)} answers`),
            await roleCheck(connection, config.database),
          ]
  return [...place, ...(server ? [await readyCheck(server.url)] : []), ...(await ofAllTenants(connection))]
}

/** Whether the database itself isolates tenants. */
async function roleCheck({ config, keys }: Connection, database: string): Promise<Check> {
  const role = await examineDatabase(database)
  const known = [...config.keys, ...(await keys.list()).filter((key) => isActive(key))]
  const problem = roleProblem(
    role,
    known.map(({ tenant }) => tenant),
  )
  if (!problem) return ok('store', `row-level security binds the role ${printableLine(role.name)}`)
  if (problem.others.length === 0) return warn('store', problem.says, problem.fix)
  return bad(
    'store',
    `${problem.says}, and there are several tenants (${printableLine(problem.others.join(', '))}): the server does not start`,
    problem.fix,
  )
}

async function fileCheck(data: string): Promise<Check[]> {
  try {
    await access(data, constants.W_OK)
    const { bavail, bsize } = await statfs(data)
    const room = Number(bavail) * Number(bsize)
    const says = `${homePath(storeFile(data, 'default'))} can be written`
    return [
      room < leastRoom
        ? warn(
            'store',
            `${says}, but its disk has only ${figure(room / 1e6)} MB left`,
            'Free some space: without it nothing is recorded.',
          )
        : ok('store', says),
    ]
  } catch {
    return [
      bad(
        'store',
        `${homePath(data)} cannot be written`,
        'Give this user write access, or set another folder (--data, MINUTEBOOK_DATA).',
      ),
    ]
  }
}

const leastRoom = 200e6

async function readyCheck(url: string): Promise<Check> {
  const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    (response) => response.ok,
    () => false,
  )
  return isReady
    ? ok('store', 'the server can reach it')
    : bad('store', 'the server cannot reach it', "Read the server's log, and restart the server.")
}

async function ofAllTenants(connection: Connection): Promise<Check[]> {
  const [records, others] = [await connection.records(), await connection.others()]
  const checks: Check[] = []
  for (const { tenant, archive } of records) {
    // Postgres has no list of its tenants, so it is always said which were found.
    const isNamed = records.length > 1 || tenant !== 'default' || connection.config.database !== undefined
    checks.push(...(await recordChecks(archive, connection, isNamed ? tenant : undefined)))
  }
  if (others.length > 0)
    checks.push(
      warn(
        'record',
        `not checked, because a server runs on this record: the threads of ${someOf(others)}`,
        'Stop it, or pass a key of that tenant, with --server and --key.',
      ),
    )
  return checks
}

/** Checks a part of the record, whose size does not depend on that of the record, and says which part. */
async function recordChecks(archive: Archive, { command }: Connection, tenant: string | undefined): Promise<Check[]> {
  const whose = tenant === undefined ? '' : ` of the tenant ${printableLine(tenant)}`
  const { threads, next } = await archive.threads({ limit: counting })
  if (threads.length === 0) return [ok('record', `nothing${whose} is recorded yet`)]
  const newest = threads[0]?.written
  const found = await newestOf(
    archive,
    threads.map(({ thread }) => thread),
  )
  const withProblem = (what: 'entry' | 'prompt'): number =>
    found.filter(({ problems }) => problems.some(({ of }) => of === what)).length
  const sum = (of: 'entries' | 'prompts' | 'underivable' | 'unchecked'): number =>
    found.reduce((total, { [of]: count = 0 }) => total + count, 0)
  const all = threads.reduce((total, thread) => total + thread.entries, 0)
  const [broken, derived] = [withProblem('entry'), withProblem('prompt')]
  const [entries, prompts, underivable, unchecked] = [
    sum('entries'),
    sum('prompts'),
    sum('underivable'),
    sum('unchecked'),
  ]
  const isAll = next === undefined && entries === all && prompts + underivable + unchecked < mostPrompts
  const verify = command('verify --all')
  return [
    broken > 0
      ? bad(
          'record',
          `${broken} of the newest ${counted(found.length, 'thread')}${whose} ${broken === 1 ? 'was' : 'were'} changed`,
          `Find the entries with: ${verify}. Restore them from an export or a backup.`,
        )
      : ok(
          'record',
          [
            `${partOf(entries, all, next !== undefined)}${whose}${promptsOf(prompts, isAll || unchecked > 0)} intact`,
            ...(underivable > 0 ? [`${counted(underivable, 'prompt')} can no longer be derived`] : []),
            ...(unchecked > 0 ? [`left out: ${counted(unchecked, 'prompt')} made of older entries too`] : []),
            ...(isAll ? [] : [`${verify} checks all of them`]),
          ].join('; '),
        ),
    ...(derived === 0
      ? []
      : [
          bad(
            'record',
            `prompts of ${counted(derived, 'thread')} of the newest ${found.length}${whose} differ from what was sent`,
            `This is a bug in Minutebook; nothing needs to be restored. Find them with: ${verify}, and please report it.`,
          ),
        ]),
    ...(newest && Date.parse(newest) > Date.now() + tolerated
      ? [
          warn(
            'clock',
            'the newest entry has a time in the future',
            "Set this machine's clock: it was ahead when the entry was written, or is behind now.",
          ),
        ]
      : []),
  ]
}

const tolerated = 5000

function partOf(entries: number, all: number, areMore: boolean): string {
  if (entries === all && !areMore) return `all ${counted(entries, 'entry', 'entries')}`
  return `the newest ${figure(entries)} of ${areMore ? 'more than ' : ''}${counted(all, 'entry', 'entries')}`
}

function promptsOf(prompts: number, areAll: boolean): string {
  return prompts === 0 ? ' are' : ` and ${areAll ? '' : 'the newest '}${counted(prompts, 'prompt')} of them are`
}

/** Checks the newest entries and prompts, thread by thread. */
async function newestOf(archive: Archive, threads: readonly string[]): Promise<readonly ThreadVerification[]> {
  const found: ThreadVerification[] = []
  let [entries, prompts] = [mostEntries, mostPrompts]
  for (const thread of threads) {
    if (entries <= 0) break
    const each = await archive.verify(thread, { entries, prompts })
    found.push(each)
    entries -= each.entries + each.problems.filter(({ of }) => of === 'entry').length
    prompts = Math.max(0, prompts - each.prompts - each.underivable - (each.unchecked ?? 0))
  }
  return found
}

const mostEntries = 200
const mostPrompts = 20
/** The largest number of threads whose entries are counted. */
const counting = 200
