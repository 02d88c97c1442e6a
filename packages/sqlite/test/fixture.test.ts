import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '@minutebook/sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

test('a file of an older layout is refused with what to do, and never read as empty', () => {
  copyFileSync(fileURLToPath(new URL('./fixtures/v1.db', import.meta.url)), pathOf('v1.db'))
  expect(() => sqliteStore(pathOf('v1.db'))).toThrow(
    expect.objectContaining({
      code: 'store_older',
      message:
        '"v1.db" was written by an older version (layout 1; this one reads layout 10). Read it with that version of @minutebook/sqlite or @minutebook/cli, and start a new file with this one.',
    }) as Error,
  )
})
