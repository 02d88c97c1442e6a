import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createBreaks } from 'minutebook/clock'

/** Runs work completely or not at all. `thread`: the only one that it changes. Default: it may be any. */
export type Transaction = <T>(work: () => T, thread?: string) => T

/** Called after each commit. */
type OnCommit = (thread: string | undefined) => void

export function createTransaction(database: DatabaseSync, onCommit: OnCommit = () => undefined): Transaction {
  const { begin, commit, rollback } = statementsOf(database)
  return (work, thread) => {
    begin.run()
    try {
      const result = work()
      commit.run()
      onCommit(thread)
      return result
    } catch (error) {
      rollback()
      throw error
    }
  }
}

/**
 * Runs long work completely or not at all, with a pause at each yield. The database has no other user until it is over:
 * they would read incomplete data, and lose their writes if the work fails.
 */
export type LongTransaction = <T>(work: () => Generator<void, T, void>, thread?: string) => Promise<T>

export function createLongTransaction(database: DatabaseSync, onCommit: OnCommit): LongTransaction {
  const { begin, commit, rollback } = statementsOf(database)
  return async (work, thread) => {
    begin.run()
    try {
      const takeBreak = createBreaks()
      const steps = work()
      let step = steps.next()
      for (; !step.done; step = steps.next()) {
        const waiting = takeBreak()
        if (waiting) await waiting
      }
      commit.run()
      onCommit(thread)
      return step.value
    } catch (error) {
      rollback()
      throw error
    }
  }
}

/** Runs reads that see the file as it is at one moment, whatever another process writes meanwhile. */
export function createReading(database: DatabaseSync): Transaction {
  const begin = database.prepare('begin')
  const end = database.prepare('commit')
  return (work) => {
    begin.run()
    try {
      return work()
    } finally {
      if (database.isOpen && database.isTransaction) end.run()
    }
  }
}

function statementsOf(database: DatabaseSync): {
  readonly begin: StatementSync
  readonly commit: StatementSync
  readonly rollback: () => void
} {
  return {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: () => {
      if (database.isOpen && database.isTransaction) database.exec('rollback')
    },
  }
}
