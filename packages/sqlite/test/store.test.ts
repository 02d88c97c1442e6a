import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { storeCases, type StorePart } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

const tables: Readonly<Record<StorePart, string>> = { entries: 'entry', records: 'record', images: 'image' }

describe('a file', () => {
  for (const [index, { name, run }] of storeCases.entries()) {
    test(name, async () => {
      const path = pathOf(`${index}.db`)
      let store = sqliteStore(path)
      const reopen = async (): Promise<typeof store> => {
        store.close()
        return (store = sqliteStore(path))
      }
      // The file is one process's alone, so whoever makes a fault in it closes it first.
      const changed = async (sql: string): Promise<void> => {
        store.close()
        const file = new DatabaseSync(path)
        file.exec(sql)
        file.close()
        store = sqliteStore(path)
      }
      const failing = async (part: StorePart): Promise<() => Promise<void>> => {
        await changed(`create trigger fault before insert on ${tables[part]} begin select raise(abort, 'a fault'); end`)
        return () => changed('drop trigger fault')
      }
      const images = async (): Promise<number> => {
        store.close()
        using file = new DatabaseSync(path)
        const count = Number(file.prepare('select count(*) as count from image').get()?.['count'])
        file.close()
        store = sqliteStore(path)
        return count
      }
      const current = new Proxy(store, { get: (_, name) => Reflect.get(store, name) as unknown })
      try {
        await run({ store: current, reopen, failing, images })
      } finally {
        store.close()
      }
    })
  }
})

describe('memory', () => {
  // Nothing is left of it after closing.
  for (const { name, run } of storeCases.filter(({ topic }) => topic !== 'reopen')) {
    test(name, async () => {
      using store = sqliteStore(':memory:')
      await run({ store })
    })
  }
})
