import { checkLines } from '../doctor/check.ts'
import { examine } from '../doctor/doctor.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly model?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .option('--model <name>', 'check only this model, and its template even if that loads the model')
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const checks = await examine(connection, options.model)
        const isWell = checks.every(({ state }) => state !== 'bad')
        show(terminal, options, { ok: isWell, checks }, () => checkLines(checks, terminal))
        return isWell ? 0 : 1
      }),
    )
}
