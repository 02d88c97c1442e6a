import { MinutebookError } from 'minutebook'
import { sqliteStore } from '@minutebook/sqlite'

// Opens the file, says how that went, and keeps it open until it is ended.
try {
  const store = sqliteStore(process.argv[2]!)
  console.log('open')
  setInterval(() => void store.list(), 1000)
} catch (error) {
  console.log(MinutebookError.isInstance(error) ? error.code : String(error))
}
