import type { Archive } from '@minutebook/server'
import { callLines, underived, underivedLines } from '../call/call.ts'
import { planLines } from '../call/plan.ts'
import { stopLines, stopOf } from '../call/stop.ts'
import { withThread } from '../thread/find.ts'
import type { Terminal } from '../terminal/terminal.ts'
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
    .action((thread: string | undefined, call: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive, file } = connection
        const choice = choiceOf(call, options)
        const explanation = await withThread(connection, thread, (id) => archive.explain(id, choice).catch(underived))
        const isNewest = choice.turn === undefined && choice.receipt === undefined
        const place = 'problem' in explanation ? explanation.call : explanation
        const shown = options.json === true ? undefined : await archive.show(place.thread)
        const stop = shown && stopOf(shown, isNewest ? undefined : (place.turn ?? 0))
        show(terminal, options, explanation, () => [
          ...(stop ? [...stopLines(stop, terminal), ''] : []),
          ...(stop && stop.turn !== place.turn ? [`The last model call, of turn ${place.turn ?? '–'}:`, ''] : []),
          ...('problem' in explanation
            ? underivedLines(explanation, terminal)
            : [...callLines(explanation, terminal), '', ...planLines(explanation, terminal, options.rows)]),
        ])
        if (thread === undefined && file !== undefined && options.json !== true) await tellOthers(archive, terminal)
      }),
    )
}

/** A person who names a file, but no thread, may mean another thread than the newest. */
async function tellOthers(archive: Archive, terminal: Terminal): Promise<void> {
  const { threads } = await archive.threads({ limit: 2 })
  if (threads.length > 1)
    terminal.remark(terminal.paintErrors.dim(`This is the newest thread. The others: ${terminal.command('threads')}`))
}
