import type { Command } from 'commander'
import { printableLine } from '@minutebook/server'
import type { Erasure } from 'minutebook/store'
import { confirmed } from '../confirm.ts'
import { counted } from '../figures.ts'
import { withEntry } from '../find-entry.ts'
import type { Terminal } from '../terminal.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly entry?: readonly string[]
  readonly yes?: boolean
}

export function eraseCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('erase', 'Forget what was said in a thread; what remains of it says so')
    .argument('<thread>', 'its whole id: none is guessed')
    .option('--entry <id...>', 'only these entries')
    .option('-y, --yes', 'do not ask')
    .action((thread: string, { entry, yes = false, ...options }: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const { entries } = await desk.show(thread)
        const named =
          entry && (await Promise.all(entry.map((id) => withEntry(desk, thread, id)))).filter((id) => id !== undefined)
        const what = named
          ? counted(named.length, 'entry', 'entries')
          : `everything, ${counted(entries.length, 'entry', 'entries')} that people see and all that stands behind them,`
        if (!(await confirmed(terminal, `Erase ${what} of ${printableLine(thread)}? This cannot be undone.`, yes)))
          return 1
        const erasure = await desk.erase(thread, named)
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
