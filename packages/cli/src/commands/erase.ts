import { confirm, isCancel } from '@clack/prompts'
import { printableLine } from '@minutebook/server'
import { Option } from 'commander'
import { MinutebookError } from 'minutebook'
import type { Erasure, Removal } from 'minutebook/store'
import { withEntry } from '../thread/find.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted } from '../terminal/text.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly entry?: readonly string[]
  readonly remove?: boolean
  readonly yes?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('<thread>', 'full thread id')
    .option('--entry <id...>', 'erase only these entries')
    .addOption(new Option('--remove', 'remove the whole thread, so that no list has it').conflicts('entry'))
    .option('-y, --yes', 'do not ask for confirmation')
    .action((thread: string, { entry, remove = false, yes = false, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const { entries } = await archive.show(thread)
        if (remove) {
          if (!(await confirmed(terminal, `Remove the thread ${printableLine(thread)}? This cannot be undone.`, yes)))
            return 1
          const removal = await archive.remove(thread)
          show(terminal, options, removal, () => removalLines(removal, terminal))
          return 0
        }
        const named =
          entry &&
          (await Promise.all(entry.map((id) => withEntry(connection, thread, id)))).filter((id) => id !== undefined)
        const what = named
          ? counted(named.length, 'entry', 'entries')
          : `everything (${counted(entries.length, 'visible entry', 'visible entries')}, and all hidden ones)`
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
  const removed = snapshots > 0 ? `, ${counted(snapshots, 'snapshot')} removed` : ''
  return [
    `${paint.green('✓')} ${paint.bold(printableLine(thread))}: ${counted(erased.length, 'entry', 'entries')} erased${pictures}${removed}`,
    ...remainsLines(remains),
  ]
}

function removalLines({ thread, entries, remains }: Removal, { paint }: Terminal): string[] {
  return [
    `${paint.green('✓')} ${paint.bold(printableLine(thread))}: removed with ${counted(entries, 'entry', 'entries')}`,
    ...remainsLines(remains),
  ]
}

function remainsLines(remains: readonly string[]): string[] {
  return remains.length > 0 ? ['What remains, and how to remove it:', ...remains.map((line) => `  ${line}`)] : []
}

/** Asks the person to confirm. Without a terminal, `--yes` is required. */
async function confirmed({ input, output }: Terminal, question: string, yes: boolean): Promise<boolean> {
  if (yes) return true
  if (input.isTTY !== true || output.isTTY !== true)
    throw new MinutebookError(
      'not_confirmed',
      'This cannot be undone, and there is no terminal to confirm it in.',
      'Pass --yes.',
    )
  const answer = await confirm({ message: question, initialValue: false, input, output })
  return !isCancel(answer) && answer
}
