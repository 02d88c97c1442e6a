import { printableLine } from '@minutebook/server'
import type { PrunePageResult } from 'minutebook/store'
import type { Terminal } from '../terminal/terminal.ts'
import { counted } from '../terminal/text.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, spanOf, withConnection } from './command.ts'

interface Options extends RecordOptions {
  /** In milliseconds. */
  readonly olderThan: number
  readonly yes?: boolean
}

/** What a whole run of the command found, or removed. */
interface Pruned extends Pick<PrunePageResult, 'threads' | 'kept' | 'remains'> {
  readonly removed: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .requiredOption('--older-than <age>', 'threads without a new entry for so long, such as 90d or 12h', spanOf)
    .option('-y, --yes', 'remove them; without it, they are only listed')
    .action(({ olderThan, yes = false, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const unwrittenSince = new Date(Date.now() - olderThan)
        const threads: PrunePageResult['threads'][number][] = []
        const remains = new Set<string>()
        let [kept, next]: [number, string | undefined] = [0, undefined]
        do {
          const page: PrunePageResult = await archive.prune({ unwrittenSince, dryRun: !yes, after: next })
          threads.push(...page.threads)
          for (const text of page.remains) remains.add(text)
          kept += page.kept
          next = page.next
          if (next !== undefined && terminal.output.isTTY === true)
            terminal.output.write(`\r${counted(threads.length, 'thread')} so far`)
        } while (next !== undefined)
        const pruned: Pruned = { removed: yes, threads, kept, remains: [...remains] }
        show(terminal, options, pruned, () => prunedLines(pruned, terminal))
        return 0
      }),
    )
}

function prunedLines({ removed, threads, kept, remains }: Pruned, { paint }: Terminal): string[] {
  const entries = threads.reduce((sum, each) => sum + each.entries, 0)
  const what = `${counted(threads.length, 'thread')} with ${counted(entries, 'entry', 'entries')}`
  const shown = threads.slice(0, most).map((each) => `  ${printableLine(each.thread)}`)
  return [
    removed ? `${paint.green('✓')} ${what} removed` : `${what} would be removed. To remove them, pass --yes.`,
    ...shown,
    ...(threads.length > most ? [`  … and ${threads.length - most} more`] : []),
    ...(kept > 0 ? [`${counted(kept, 'old thread')} kept: unfinished, of an experiment, or written to just now`] : []),
    ...(remains.length > 0 ? ['What remains, and how to remove it:', ...remains.map((line) => `  ${line}`)] : []),
  ]
}

/** The most threads that are named. */
const most = 20
