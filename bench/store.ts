import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** What keeping costs, in each store: in a process of its own, so that none finds the memory of another. */
for (const name of ['store-sqlite.ts', 'store-postgres.ts']) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
