import { printableLine, type Archive, type ThreadVerification } from '@minutebook/server'
import type { Connection } from '../connection/connection.ts'
import { counted, figure, someOf } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { createProgress } from '../terminal/live.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly all?: boolean
}

/** A thread that was checked. `tenant`: whose it is, if not that of `default` or of the key. */
interface Verified extends ThreadVerification {
  readonly tenant?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command)
    .option('--all', 'check all threads: of all tenants whose record is here, or of --tenant')
    .action((thread: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const found: readonly Verified[] =
          options.all === true
            ? await ofAllTenants(connection, terminal)
            : [await withThread(connection, thread, (id) => archive.verify(id))]
        const ok = found.every((verification) => verification.ok)
        show(terminal, options, { ok, threads: found }, () =>
          found.length === 0
            ? ['Nothing is recorded yet.']
            : found.flatMap((verification) => verificationLines(verification, terminal)),
        )
        return ok ? 0 : 1
      }),
    )
}

async function ofAllTenants({ records, others, server }: Connection, terminal: Terminal): Promise<Verified[]> {
  const found: Verified[] = []
  for (const { tenant, archive } of await records()) {
    const isOther = tenant !== undefined && tenant !== 'default'
    found.push(...(await verifiedAll(archive, terminal)).map((each) => (isOther ? { ...each, tenant } : each)))
  }
  const left = await others()
  if (left.length > 0)
    terminal.remark(
      `${terminal.paintErrors.yellow('!')} Not checked, because a server runs on this record: the threads of ${someOf(left)}. Stop it, or pass a key of that tenant: --server ${server?.url} --key KEY`,
    )
  return found
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
  { thread, tenant, ok, entries, prompts, underivable, problems }: Verified,
  { paint }: Terminal,
): string[] {
  const checked = `${counted(entries, 'entry', 'entries')}, ${counted(prompts, 'prompt')} as ${prompts === 1 ? 'it was' : 'they were'} sent`
  const missing = underivable > 0 ? `, ${counted(underivable, 'prompt')} that can no longer be derived` : ''
  const mark = ok ? paint.green('✓') : paint.red('✗')
  return [
    `${mark} ${paint.bold(printableLine(thread))}${tenant === undefined ? '' : ` of ${printableLine(tenant)}`}  ${checked}${missing}`,
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
