import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { storeCases } from 'minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { temporaryFolder } from './support/folder.ts'

const pathOf = temporaryFolder()

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
      const failing = async (part: 'entries' | 'records'): Promise<() => Promise<void>> => {
        await changed(`create trigger fault before insert on ${part === 'entries' ? 'entry' : 'record'} begin select raise(abort, 'a fault'); end`)
        return () => changed('drop trigger fault')
      }
      const current = new Proxy(store, { get: (_, name) => Reflect.get(store, name) as unknown })
      try {
        await run({ store: current, reopen, failing })
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
