import { confirm, isCancel } from '@clack/prompts'
import { printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Erasure } from 'minutebook/store'
import { withEntry } from '../thread/find.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted } from '../terminal/text.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly entry?: readonly string[]
  readonly yes?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('<thread>', 'its whole id: none is guessed')
    .option('--entry <id...>', 'only these entries')
    .option('-y, --yes', 'do not ask')
    .action((thread: string, { entry, yes = false, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const { entries } = await archive.show(thread)
        const named =
          entry &&
          (await Promise.all(entry.map((id) => withEntry(archive, thread, id)))).filter((id) => id !== undefined)
        const what = named
          ? counted(named.length, 'entry', 'entries')
          : `everything, ${counted(entries.length, 'entry', 'entries')} that people see and all that stands behind them,`
        if (!(await confirmed(terminal, `Erase ${what} of ${printableLine(thread)}? This cannot be undone.`, yes)))
          return 1
        const erasure = await archive.erase(thread, named)
        show(terminal, options, erasure, () => erasureLines(erasure, terminal))
        return 0
      }),
    )
}

function erasureLines({ thread, erased, snapshots, images, remains }: Erasure, { paint }: Terminal): string[] {
  const pictures = images > 0 ? ` with ${counted(images, 'image')}` : ''
  const beside = snapshots > 0 ? `, ${counted(snapshots, 'snapshot')} forgotten` : ''
  return [
    `${paint.green('✓')} ${paint.bold(printableLine(thread))}: ${counted(erased.length, 'entry', 'entries')} erased${pictures}${beside}`,
    ...(remains.length > 0 ? ['What remains, and what to do about it:', ...remains.map((line) => `  ${line}`)] : []),
  ]
}

/** Asks before what cannot be undone; where nobody can be asked, `--yes` must have been said. */
async function confirmed({ input, output }: Terminal, question: string, isSaid: boolean): Promise<boolean> {
  if (isSaid) return true
  if (input.isTTY !== true || output.isTTY !== true)
    throw new MinutebookError('not_confirmed', 'This cannot be undone, and nobody is here to be asked.', 'Add --yes.')
  const answer = await confirm({ message: question, initialValue: false, input, output })
  return !isCancel(answer) && answer
}
