// Does a store in one SQLite file keep its contract on this runtime? Each case, and each error that opening it can have.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@minutebook/sqlite'
import { storeCases, type StorePart } from '@minutebook/testing'

const tables: Readonly<Record<StorePart, string>> = { entries: 'entry', records: 'record', images: 'image' }
const folder = mkdtempSync('store-')
const failures: string[] = []

for (const [index, { name, run }] of storeCases.entries()) await attempt(name, () => withFile(index, run))
for (const [code, spoil] of Object.entries(spoilers()))
  await attempt(`a file that is ${code}`, async () => {
    const path = join(folder, `${code}.db`)
    sqliteStore(path).close()
    const undo = spoil(path)
    assert.throws(() => sqliteStore(path), { code })
    undo?.()
  })

rmSync(folder, { recursive: true })
for (const failure of failures) console.error(failure)
console.log(`${storeCases.length} cases, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

/** A case may open its file again, or make a fault in it, which takes the store away for a moment. */
async function withFile(index: number, run: (typeof storeCases)[number]['run']): Promise<void> {
  const path = join(folder, `${index}.db`)
  let store = sqliteStore(path)
  const reopen = async (): Promise<typeof store> => {
    store.close()
    return (store = sqliteStore(path))
  }
  const inFile = async <T>(work: (database: DatabaseSync) => T): Promise<T> => {
    store.close()
    const database = new DatabaseSync(path)
    const result = work(database)
    database.close()
    store = sqliteStore(path)
    return result
  }
  const failing = async (part: StorePart): Promise<() => Promise<void>> => {
    const fault = `create trigger fault before insert on ${tables[part]} begin select raise(abort, 'a fault'); end`
    await inFile((database) => database.exec(fault))
    return () => inFile((database) => database.exec('drop trigger fault'))
  }
  const images = (): Promise<number> =>
    inFile((database) => Number(database.prepare('select count(*) as count from image').get()?.['count']))
  const current = new Proxy(store, { get: (_, name) => Reflect.get(store, name) as unknown })
  try {
    await run({ store: current, reopen, failing, images })
  } finally {
    store.close()
  }
}

/** How a file becomes one that cannot be opened, by the code of the error. They return how to undo it, if they must. */
function spoilers(): Readonly<Record<string, (path: string) => (() => void) | undefined>> {
  return {
    store_locked: (path) => {
      const other = sqliteStore(path)
      return () => other.close()
    },
    not_a_store: (path) => {
      writeFileSync(path, 'Dear diary, '.repeat(100))
      return undefined
    },
    store_corrupt: (path) => {
      const bytes = readFileSync(path)
      bytes.fill(0xff, 100, 4096)
      writeFileSync(path, bytes)
      return undefined
    },
    store_newer: (path) => {
      const database = new DatabaseSync(path)
      database.exec('pragma user_version = 99')
      database.close()
      return undefined
    },
  }
}
