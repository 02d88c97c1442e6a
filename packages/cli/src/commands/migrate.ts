import { migrateDatabase, printableLine } from '@minutebook/server'
import { counted } from '../terminal/text.ts'
import { tellFailure } from '../terminal/failure.ts'
import { namingDatabase } from '../connection/connection.ts'
import { configOf } from '../connection/location.ts'
import { type DefineCommand, localCommand, type RecordOptions, show } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  localCommand(command)
    .option(
      '--app-role <name>',
      'grant this role the rights of an instance, so that instances need not connect as the owner',
    )
    .option('--json', 'print JSON')
    .action(async ({ appRole, ...options }: RecordOptions & { readonly appRole?: string }) => {
      try {
        const { database } = await configOf(terminal, options)
        if (database === undefined)
          show(terminal, options, { store: 'sqlite', applied: [] }, () => [
            'Nothing to do: a SQLite file is migrated when it is opened.',
          ])
        else {
          const { applied, at } = await namingDatabase(database, () => migrateDatabase(database, { appRole }))
          show(terminal, options, { store: 'postgres', applied, at, ...(appRole !== undefined && { appRole }) }, () => [
            ...applied.map((name) => `${terminal.paint.green('✓')} ${name}`),
            ...(appRole === undefined
              ? []
              : [`${terminal.paint.green('✓')} ${printableLine(appRole)} has the rights of an instance`]),
            applied.length === 0
              ? `Nothing to do: the database is at migration ${at}.`
              : `${counted(applied.length, 'migration')} applied; the database is at migration ${at}.`,
          ])
        }
        setExitCode(0)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
      }
    })
}
