import { printableLine, type Archive, type ThreadVerification } from '@minutebook/server'
import { counted, figure } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { createProgress } from '../terminal/live.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly all?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command)
    .option('--all', 'check all threads')
    .action((thread: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const found =
          options.all === true
            ? await verifiedAll(archive, terminal)
            : [await withThread(connection, thread, (id) => archive.verify(id))]
        const ok = found.every((verification) => verification.ok)
        show(terminal, options, { ok, threads: found }, () =>
          found.flatMap((verification) => verificationLines(verification, terminal)),
        )
        return ok ? 0 : 1
      }),
    )
}

/** Checks every thread of a record. */
export async function verifiedAll(archive: Archive, terminal: Terminal): Promise<ThreadVerification[]> {
  const progress = createProgress(terminal, 'Checking', 'threads')
  const found: ThreadVerification[] = []
  try {
    let after: string | undefined
    do {
      const { threads, next } = await archive.threads({ limit: 100, after })
      for (const { thread } of threads) {
        found.push(await archive.verify(thread))
        progress.at(found.length)
      }
      after = next
    } while (after !== undefined)
    return found
  } finally {
    progress.end()
  }
}

export function verificationLines(
  { thread, ok, entries, prompts, underivable, problems }: ThreadVerification,
  { paint }: Terminal,
): string[] {
  const checked = `${counted(entries, 'entry', 'entries')}, ${counted(prompts, 'prompt')} as ${prompts === 1 ? 'it was' : 'they were'} sent`
  const missing = underivable > 0 ? `, ${counted(underivable, 'prompt')} that can no longer be derived` : ''
  const mark = ok ? paint.green('✓') : paint.red('✗')
  return [
    `${mark} ${paint.bold(printableLine(thread))}  ${checked}${missing}`,
    ...problems.slice(0, 20).map(({ seq, problem }) => `  entry ${figure(seq)}: ${problem}`),
    ...(problems.length > 20 ? [`  and ${figure(problems.length - 20)} more: see --json`] : []),
    ...(problems.some(({ of }) => of === 'entry')
      ? ['  Restore the thread from an export or a backup of the store.']
      : []),
    ...(problems.some(({ of }) => of === 'prompt')
      ? ['  The entries are intact, so nothing needs to be restored. This is a bug in Minutebook: please report it.']
      : []),
  ]
}
