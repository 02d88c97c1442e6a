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
      try {
        await run({ store, reopen })
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
