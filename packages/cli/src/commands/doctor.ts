import { configOf } from '../connection/location.ts'
import { type Check, checkLines } from '../doctor/check.ts'
import { examine, examineWithoutRecord } from '../doctor/doctor.ts'
import type { ExitCode } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly model?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .option('--model <name>', 'check only this model, and its template even if that loads the model')
    .action((options: Options) =>
      withConnection(
        terminal,
        options,
        setExitCode,
        async (connection) => tell(terminal, options, await examine(connection, options.model)),
        async (error) =>
          tell(terminal, options, await examineWithoutRecord(await configOf(terminal, options), error, options.model)),
      ),
    )
}

function tell(terminal: Terminal, options: Options, checks: readonly Check[]): ExitCode {
  const isWell = checks.every(({ state }) => state !== 'bad')
  show(terminal, options, { ok: isWell, checks }, () => checkLines(checks, terminal))
  return isWell ? 0 : 1
}
