import { callLines } from '../call/call.ts'
import { planLines } from '../call/plan.ts'
import { withThread } from '../thread/find.ts'
import {
  callCommand,
  type CallOptions,
  choiceOf,
  countOf,
  type DefineCommand,
  show,
  withConnection,
} from './command.ts'

interface Options extends CallOptions {
  readonly rows: number
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  callCommand(command)
    .option('--rows <n>', 'collapse older rows if there are more than this many', countOf('A number of rows'), 40)
    .action((thread: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const explanation = await withThread(archive, thread, (id) => archive.explain(id, choiceOf(options)))
        show(terminal, options, explanation, () => [
          ...callLines(explanation, terminal),
          '',
          ...planLines(explanation, terminal, options.rows),
        ])
      }),
    )
}
