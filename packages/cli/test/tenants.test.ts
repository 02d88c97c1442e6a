import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readConfig, serve, apiHandler } from '@minutebook/server'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { openBook, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { commands } from '../src/commands/commands.ts'
import { dataFolder, type DataFolder } from './support/data-folder.ts'
import { wholeProgram } from './support/program.ts'
import { runCommand } from './support/terminal.ts'

const database = testDatabase()

async function talk(store: Store, thread: string, answer: string): Promise<void> {
  const model = scriptedModel([answer], { model: 'm', wire: 'ollama' })
  await openBook({ store, model, window: 4096, journal: false }).thread(thread).send('What grows here?').done
}

/** A thread `garden` of `default` and another of `shop`, and one of `desk`. */
async function threeTenants(): Promise<DataFolder> {
  const folder = dataFolder()
  for (const [tenant, thread, answer] of [
    ['', 'garden', 'Ferns.'],
    ['-shop', 'garden', 'Sage.'],
    ['-desk', 'lamp', 'Moss.'],
  ] as const) {
    const store = sqliteStore(join(folder.path, `minutebook${tenant}.db`))
    await talk(store, thread, answer)
    store.close()
  }
  return folder
}

function change(folder: DataFolder, tenant: string): void {
  using shop = new DatabaseSync(join(folder.path, `minutebook-${tenant}.db`))
  shop.exec("update entry set payload = replace(payload, 'Sage', 'Sorrel')")
}

describe('--tenant', () => {
  test('reads and changes the threads of that tenant alone', async () => {
    using folder = await threeTenants()
    const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(args, folder.path)
    expect((await run('show', 'garden')).output).toContain('Ferns.')
    const shown = await run('show', 'garden', '--tenant', 'shop')
    expect(shown.output).toContain('Sage.')
    expect(shown.output).not.toContain('Ferns.')
    expect((await run('threads', '--tenant', 'desk')).output).toContain('lamp')
    expect(await run('erase', 'garden', '--yes', '--tenant', 'shop')).toMatchObject({ code: 0 })
    expect((await run('show', 'garden', '--tenant', 'shop')).output).not.toContain('Sage.')
    expect((await run('show', 'garden')).output).toContain('Ferns.')
  })

  test('is in the commands that hints name, if they take it', async () => {
    using folder = await threeTenants()
    const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(args, folder.path)
    expect((await run('show', 'none', '--tenant', 'shop')).errors).toContain('minutebook threads --tenant shop')
    expect((await run('calls', '--follow', '--tenant', 'shop')).errors).toMatch(/minutebook serve\. /)
  })

  test.each(['typo', '../shop'])('%j has no file, and gets none', async (tenant) => {
    using folder = await threeTenants()
    const { code, errors } = await runCommand(['threads', '--tenant', tenant], folder.path)
    expect(code).toBe(1)
    expect(errors).toContain('default, desk, shop')
    expect(existsSync(join(folder.path, `minutebook-${tenant}.db`))).toBe(false)
  })

  test('of import may be new', async () => {
    using folder = await threeTenants()
    const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(args, folder.path)
    const file = join(folder.path, 'garden.jsonl')
    expect((await run('export', 'garden', '--tenant', 'shop', '-o', file)).code).toBe(0)
    expect(await run('import', file, '--tenant', 'attic')).toMatchObject({ code: 0, errors: '' })
    expect((await run('show', 'garden', '--tenant', 'attic')).output).toContain('Sage.')
    expect((await run('import', file, '--tenant', 'Not one')).errors).toContain('not a valid name of a tenant')
  })

  test('is refused at a server and of a file, with what to do', async () => {
    using folder = await threeTenants()
    const ofFile = await runCommand(['threads', join(folder.path, 'minutebook.db'), '--tenant', 'shop'], '/nowhere')
    expect(ofFile).toMatchObject({ code: 2, errors: expect.stringContaining('Leave --tenant out.') as string })
    const config = readConfig({ flags: { data: folder.path, port: 0 }, environment: {}, folder: folder.path })
    await using running = await serve(config, { api: apiHandler, log: 'silent' })
    const atServer = await runCommand(['threads', '--tenant', 'shop'], folder.path)
    expect(atServer).toMatchObject({ code: 2, output: '' })
    expect(atServer.errors).toContain(`Pass a key of that tenant instead of --tenant: set MINUTEBOOK_KEY`)
    expect(atServer.errors).toContain(running.url)
  })

  test('is taken by the commands that the list of commands says', async () => {
    const program = await wholeProgram()
    const taking = program.commands
      .filter(({ options }) => options.some(({ long }) => long === '--tenant'))
      .map((command) => command.name())
    expect(taking).toEqual(commands.filter(({ ofTenant }) => ofTenant).map(({ name }) => name))
    expect(taking).toEqual(
      expect.arrayContaining(['verify', 'erase', 'export', 'import', 'threads', 'doctor', 'prune']),
    )
  })
})

interface Verified {
  readonly ok: boolean
  readonly threads: readonly { readonly tenant?: string; readonly thread: string; readonly ok: boolean }[]
}

const verifiedIn = async (data: string, ...args: readonly string[]): Promise<readonly string[]> => {
  const { output } = await runCommand(['verify', '--all', '--json', ...args], data)
  return (JSON.parse(output) as Verified).threads.map(({ tenant = '-', thread, ok }) => `${tenant} ${thread} ${ok}`)
}

describe('verify --all and doctor', () => {
  const recordLines = async (data: string): Promise<readonly string[]> => {
    const { output } = await runCommand(['doctor', '--json'], data, {
      environment: { MINUTEBOOK_UPSTREAMS: 'http://127.0.0.1:9' },
    })
    const { checks } = JSON.parse(output) as { checks: { what: string; state: string; says: string }[] }
    return checks.filter(({ what }) => what === 'record').map(({ state, says }) => `${state}: ${says}`)
  }

  test('check every tenant that has a file', async () => {
    using folder = await threeTenants()
    expect(await verifiedIn(folder.path)).toEqual(['- garden true', 'desk lamp true', 'shop garden true'])
    expect(await verifiedIn(folder.path, '--tenant', 'shop')).toEqual(['shop garden true'])
    expect(await recordLines(folder.path)).toEqual(
      ['default', 'desk', 'shop'].map(
        (tenant) => `ok: all 4 entries of the tenant ${tenant} and 1 prompt of them are intact`,
      ),
    )
    change(folder, 'shop')
    const { code, output } = await runCommand(['verify', '--all'], folder.path)
    expect(code).toBe(1)
    expect(output).toMatch(/^✓ garden {2}.*\n✓ lamp of desk {2}.*\n✗ garden of shop {2}/)
    expect((await recordLines(folder.path)).at(-1)).toBe('bad: 1 of the newest 1 thread of the tenant shop was changed')
  })

  test('say which tenants they leave out, because a server writes to them', async () => {
    using folder = await threeTenants()
    const config = readConfig({ flags: { data: folder.path, port: 0 }, environment: {}, folder: folder.path })
    await using running = await serve(config, { api: apiHandler, log: 'silent' })
    const { code, errors } = await runCommand(['verify', '--all'], folder.path)
    expect({ code, errors }).toEqual({
      code: 0,
      errors: `! Not checked, because a server runs on this record: the threads of desk, shop. Stop it, or pass a key of that tenant: --server ${running.url} --key KEY\n`,
    })
    expect((await recordLines(folder.path)).at(-1)).toBe(
      'warn: not checked, because a server runs on this record: the threads of desk, shop',
    )
  })

  test('on Postgres check the tenants that have a key, and say so', async () => {
    using folder = dataFolder()
    using source = await threeTenants()
    const file = join(source.path, 'garden.jsonl')
    await runCommand(['export', 'garden', '-o', file], source.path)
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand([...args, '--database', database.url], folder.path)
    for (const tenant of ['default', 'shop', 'attic'])
      expect(await run('import', file, '--tenant', tenant)).toMatchObject({ code: 0, errors: '' })
    expect((await run('keys', 'create', 'till', '--tenant', 'shop')).code).toBe(0)
    expect(await verifiedIn(folder.path, '--database', database.url)).toEqual(['- garden true', 'shop garden true'])
    expect(await verifiedIn(folder.path, '--database', database.url, '--tenant', 'attic')).toEqual([
      'attic garden true',
    ])
    const { output } = await run('doctor')
    expect(output).toContain('all 4 entries of the tenant default')
    expect(output).toContain('all 4 entries of the tenant shop')
  })

  test('of an empty record say that nothing is there', async () => {
    using folder = dataFolder()
    expect(await runCommand(['verify', '--all'], folder.path)).toMatchObject({
      code: 0,
      output: 'Nothing is recorded yet.\n',
    })
  })
})
