import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Option } from 'commander'
import { exportFormats, printable, printableLine, type ExportFormat } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Rating } from 'minutebook/store'
import { counted } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { createProgress } from '../terminal/live.ts'
import { safeJson, withEscapes } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, type RecordOptions, threadCommand, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly output?: string
  readonly run?: string
  readonly format?: ExportFormat
  readonly rated?: boolean
  readonly rating?: Rating
  readonly tag?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command)
    .option('--run <run>', 'export this run instead of a thread')
    .addOption(
      new Option(
        '--format <format>',
        'format of a run: every event as JSON, or a table with a row for each turn (default: jsonl)',
      ).choices([...exportFormats]),
    )
    .option('--rated', 'export rated messages of all threads, or of one, with their prompts')
    .addOption(new Option('--rating <rating>', 'only messages with this rating').choices(['up', 'down']))
    .option('--tag <tag>', 'only messages with this tag')
    .option('-o, --output <file>', 'write to this file instead of the standard output')
    .action((thread: string | undefined, { run, format, rated, rating, tag, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive, openRuns } = connection
        if (run === undefined && format !== undefined)
          throw new MinutebookError('bad_address', '--format is only for runs.', 'Name a run with --run.')
        if (run !== undefined && thread !== undefined)
          throw new MinutebookError('bad_address', 'Both a thread and a run are named.', 'Name only one of them.')
        if (run !== undefined && rated)
          throw new MinutebookError('bad_address', 'A run is named with --rated.', 'Name only one of them.')
        if (!rated && (rating !== undefined || tag !== undefined))
          throw new MinutebookError('bad_address', '--rating and --tag are for rated messages.', 'Add --rated.')
        const written = rated
          ? {
              rated: await exported(
                archive.exportRated({ rating, tag, thread }),
                'rated messages',
                terminal,
                options.output,
              ),
            }
          : run === undefined
            ? await withThread(connection, thread, async (id) => ({
                thread: id,
                entries: await exported(archive.export(id), id, terminal, options.output),
              }))
            : {
                run,
                lines: await exported((await openRuns()).export(run, format ?? 'jsonl'), run, terminal, options.output),
              }
        if (options.output === undefined) return
        const what =
          'rated' in written
            ? `${counted(written.rated, 'line')} of rated messages`
            : 'run' in written
              ? `${counted(written.lines, 'line')} of ${written.run}`
              : `${counted(written.entries, 'entry', 'entries')} of ${printableLine(written.thread)}`
        if (options.json === true) terminal.print(safeJson({ ...written, file: options.output }))
        else terminal.remark(`${terminal.paintErrors.green('✓')} ${what} in ${printableLine(options.output)}`)
      }),
    )
}

/**
 * Writes a draft first and then renames it, so that the file is never incomplete. The draft is always a new file that
 * only this user can read. Returns the number of lines.
 */
async function exported(
  lines: AsyncIterable<string>,
  of: string,
  terminal: Terminal,
  file: string | undefined,
): Promise<number> {
  if (file === undefined) return write(lines, of, terminal, terminal.output)
  const draft = `${file}.${process.pid}.part`
  const unwritable = (error: unknown): Promise<never> => Promise.reject(unwritableError(file, error))
  await rm(draft, { force: true }).catch(unwritable)
  const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
  // It may fail at any time: also if its folder is not there, and while the next line is awaited.
  const over = finished(stream).catch(unwritable)
  const writing = write(lines, of, terminal, stream)
  for (const each of [over, writing]) each.catch(() => undefined)
  try {
    const count = await Promise.race([writing, over.then(() => 0)])
    stream.end()
    await over
    await rename(draft, file).catch(unwritable)
    return count
  } catch (error) {
    stream.destroy()
    await rm(draft, { force: true })
    throw error
  }
}

function unwritableError(file: string, cause: unknown): MinutebookError {
  const { code = '' } = Object(cause) as { readonly code?: string }
  return new MinutebookError(
    'bad_address',
    `The file ${file} cannot be written${code === '' ? '' : ` (${code})`}.`,
    'Name a file in a folder that exists and that you may write to, on a disk with room.',
  )
}

async function write(lines: AsyncIterable<string>, of: string, terminal: Terminal, to: Writable): Promise<number> {
  const progress = createProgress(terminal, `Exporting ${printableLine(of)}`, 'lines')
  // A file gets the exact bytes. On a terminal, control characters are escaped.
  const isShown = to === terminal.output && terminal.output.isTTY === true
  const shown = (line: string): string => printable(withEscapes(line))
  let count = 0
  try {
    for await (const line of lines) {
      if (!to.write(`${isShown ? shown(line) : line}\n`)) await once(to, 'drain')
      // The records of a thread are not counted as entries.
      if (!line.startsWith('{"record":')) progress.at(++count)
    }
    return count
  } finally {
    progress.end()
  }
}
