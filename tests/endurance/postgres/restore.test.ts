import { execFile, type ExecFileException } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { composeDatabase, type ComposeDatabase } from '../../support/postgres/compose-roles.ts'
import { gateway } from '../../support/server/gateway.ts'
import { tally } from '../../support/tally.ts'
import { fromSources, root } from '../../support/workshop.ts'
import { judge } from '../server/team/judgement.ts'
import { answerTo, begin, talk, type Talked } from '../server/team/talker.ts'

const talkers = 6
/** Turns that are acknowledged before the dump begins. */
const before = Number(process.env['RESTORE_TURNS'] ?? 30)
const programs = '/usr/lib/postgresql/15/bin'
const runFile = promisify(execFile)

/** Ends with what a program printed; throws with it if the program failed. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await runFile(program, args, { maxBuffer: 64 << 20 }).catch((error: ExecFileException) => {
    throw new Error(`${program} failed: ${error.stderr ?? ''}${error.stdout ?? ''}`)
  })
  return stdout
}

const minutebook = (...args: readonly string[]): Promise<string> =>
  run(process.execPath, '--no-warnings', '--import', fromSources, join(root, 'packages/cli/src/main.ts'), ...args)

function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

/** A server as `deploy/` runs it: with the roles of roles.sql, and migrated as their owner. */
async function migrated(context: TestContext): Promise<ComposeDatabase> {
  const database = await composeDatabase(context, 15)
  await minutebook('migrate', '--database', database.owner, '--app-role', 'minutebook_app')
  return database
}

test('a dump that is made while turns run is restored elsewhere: it verifies, and what was acknowledged before is in it', async (context) => {
  if (!existsSync(`${programs}/pg_dump`)) context.skip('pg_dump 15 is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using upstream = await strictUpstream({
    delay: 10,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const source = await migrated(context)
  const upstreams = [{ url: upstream.url }]
  const { url } = await gateway({ database: source.app, upstreams })

  const options = { address: () => url }
  const talked: Talked[] = []
  let isOver = false
  const talking = Array.from({ length: talkers }, async (_, number) => {
    const thread = `restored-${number}`
    await begin(thread, options)
    for (let turn = 0; !isOver; turn++) talked.push(await talk(thread, `question ${turn} of ${thread}`, options))
  })
  while (talked.length < before) await pause(20)
  const acknowledged = [...talked]
  const file = join(folder, 'minutebook.dump')
  await run(`${programs}/pg_dump`, '--format=custom', `--file=${file}`, source.superuser)
  while (talked.length < acknowledged.length + talkers) await pause(20)
  isOver = true
  await Promise.all(talking)

  // Another server, with the two roles and an empty database.
  const target = await composeDatabase(context, 15)
  await run(`${programs}/pg_restore`, '--exit-on-error', `--dbname=${target.superuser}`, file)
  const verified = await minutebook('verify', '--all', '--database', target.owner)
  const judged = await judge(poolAt(target.owner), acknowledged)
  expect({ lost: judged.lost, doubled: judged.doubled, different: judged.different, faults: judged.faults }).toEqual({
    lost: [],
    doubled: [],
    different: [],
    faults: [],
  })
  // Turns went on while it was made.
  expect(talked.length).toBeGreaterThan(acknowledged.length)
  // The rights of the app came along: an instance goes on where the dump ended.
  const other = await gateway({ database: target.app, upstreams })
  const question = 'does it go on?'
  expect(await talk('restored-0', question, { address: () => other.url })).toMatchObject({ shown: answerTo(question) })
  console.log(
    `${talked.length} turns, ${acknowledged.length} acknowledged before the dump; restored: ${judged.lost.length} lost, ${judged.doubled.length} doubled; verify: ${verified.trim().split('\n').at(-1) ?? ''}`,
  )
  tally('restore', {
    turns: talked.length,
    'acknowledged before the dump': acknowledged.length,
    lost: judged.lost.length,
  })
})

test('verify finds a byte that was changed in a restored database', async (context) => {
  const database = await migrated(context)
  await using upstream = await strictUpstream({ answer: () => answerTo('q') })
  const { url } = await gateway({ database: database.app, upstreams: [{ url: upstream.url }] })
  await begin('changed', { address: () => url })
  await talk('changed', 'q', { address: () => url })
  expect(await minutebook('verify', '--all', '--database', database.owner)).not.toContain('✗')
  await poolAt(database.superuser).query(
    `update minutebook.entry set payload = replace(payload, 'Answer', 'Anwser') where payload like '%Answer%'`,
  )
  await expect(minutebook('verify', '--all', '--database', database.owner)).rejects.toThrow('changed')
})
