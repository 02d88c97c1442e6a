import type { Command } from 'commander'
import { migrateDatabase, printableLine } from '@minutebook/server'
import { counted } from '../figures.ts'
import { tellFailure } from '../failure.ts'
import { namingDatabase } from '../naming-database.ts'
import type { Terminal } from '../terminal.ts'
import { configOf } from '../whereabouts.ts'
import { placedCommand, show, type Ended, type ReadingOptions } from './reading.ts'

export function migrateCommand(terminal: Terminal, ended: Ended): Command {
  return placedCommand('migrate', 'Bring a database to the tables of this version, before its instances start')
    .option('--app-role <name>', 'grant this role what instances need, so that they connect as it and not as the owner')
    .option('--json', 'for programs: JSON')
    .action(async ({ appRole, ...options }: ReadingOptions & { readonly appRole?: string }) => {
      try {
        const { database } = await configOf(terminal, options)
        if (database === undefined)
          show(terminal, options, { store: 'sqlite', applied: [] }, () => [
            'Nothing to do: a file is brought up to date when it is opened.',
          ])
        else {
          const { applied, at } = await namingDatabase(database, () => migrateDatabase(database, { appRole }))
          show(terminal, options, { store: 'postgres', applied, at, ...(appRole !== undefined && { appRole }) }, () => [
            ...applied.map((name) => `${terminal.paint.green('✓')} ${name}`),
            ...(appRole === undefined
              ? []
              : [`${terminal.paint.green('✓')} ${printableLine(appRole)} has the rights of an instance`]),
            applied.length === 0
              ? `Nothing to do: the database is at step ${at}.`
              : `${counted(applied.length, 'step')} taken; the database is at step ${at}.`,
          ])
        }
        ended(0)
      } catch (error) {
        ended(tellFailure(terminal, error, options.json === true))
      }
    })
}
