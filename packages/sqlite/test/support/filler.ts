import { MinutebookError, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'

// Appends until the file may not grow any more, and says how that went and what is still there.
const store = sqliteStore(process.argv[2]!)
let after: Entry | undefined
let written = 0
for (;;) {
  const entry: Entry = entryOf(user(`message ${written} ${'x'.repeat(5000)}`), after)
  const failed = await store.append('t', [entry]).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failed !== undefined) {
    console.log(MinutebookError.isInstance(failed) ? failed.code : 'another error')
    break
  }
  after = entry
  written++
}
console.log(written === (await store.read('t')).length && written > 10 ? 'all there' : 'something is missing')
