import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import type { Store } from 'minutebook'

/** The store of a process that dies at a place, and the file behind it. */
export interface DyingStore {
  readonly store: Store
  readonly opened: SqliteStore
  /** Kills the process if this is the place. */
  readonly at: (place: string) => void
}

/** `where`: the place, such as `before append 2`, or another that the process reaches. */
export function dyingStore(file: string, where: string): DyingStore {
  const at = (place: string): void => {
    if (place === where) process.kill(process.pid, 'SIGKILL')
  }
  const opened = sqliteStore(file, { wait: 5000 })
  let appends = 0
  const append: Store['append'] = async (...given) => {
    const number = ++appends
    at(`before append ${number}`)
    const appended = await opened.append(...given)
    at(`after append ${number}`)
    return appended
  }
  return { store: { ...opened, append }, opened, at }
}
