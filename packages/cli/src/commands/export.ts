import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Option } from 'commander'
import { exportFormats, printable, printableLine, type ExportFormat } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { counted } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { createProgress } from '../terminal/live.ts'
import { safeJson, withEscapes } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, recordCommand, type RecordOptions, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly output?: string
  readonly run?: string
  readonly format?: ExportFormat
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('--run <run>', 'a run in place of a thread')
    .addOption(
      new Option(
        '--format <format>',
        'of a run: every event as JSON, or a table with a row for each turn (jsonl)',
      ).choices([...exportFormats]),
    )
    .option('-o, --output <file>', 'a file in place of the standard output')
    .action((thread: string | undefined, { run, format, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive, openRuns }) => {
        if (run === undefined && format !== undefined)
          throw new MinutebookError('bad_address', 'A format is for runs.', 'Name one with --run.')
        if (run !== undefined && thread !== undefined)
          throw new MinutebookError('bad_address', 'Both a thread and a run are named.', 'Leave one of them out.')
        const written =
          run === undefined
            ? await withThread(archive, thread, async (id) => ({
                thread: id,
                entries: await exported(archive.export(id), id, terminal, options.output),
              }))
            : {
                run,
                lines: await exported((await openRuns()).export(run, format ?? 'jsonl'), run, terminal, options.output),
              }
        if (options.output === undefined) return
        const what =
          'run' in written
            ? `${counted(written.lines, 'line')} of ${written.run}`
            : `${counted(written.entries, 'entry', 'entries')} of ${printableLine(written.thread)}`
        if (options.json === true) terminal.print(safeJson({ ...written, file: options.output }))
        else terminal.remark(`${terminal.paintErrors.green('✓')} ${what} in ${printableLine(options.output)}`)
      }),
    )
}

/**
 * Writes to a draft next to the file first, so that what bears its name is whole. Like the record itself, it is for
 * this user alone from the first byte on: the draft is always a new file. Returns the number of lines.
 */
async function exported(
  lines: AsyncIterable<string>,
  of: string,
  terminal: Terminal,
  file: string | undefined,
): Promise<number> {
  if (file === undefined) return write(lines, of, terminal, terminal.output)
  const draft = `${file}.${process.pid}.part`
  await rm(draft, { force: true })
  const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
  try {
    const count = await write(lines, of, terminal, stream)
    stream.end()
    await finished(stream)
    await rename(draft, file)
    return count
  } catch (error) {
    stream.destroy()
    await rm(draft, { force: true })
    throw error
  }
}

async function write(lines: AsyncIterable<string>, of: string, terminal: Terminal, to: Writable): Promise<number> {
  const progress = createProgress(terminal, `Exporting ${printableLine(of)}`, 'lines')
  // A file gets the very bytes; on a terminal they must not do anything.
  const isShown = to === terminal.output && terminal.output.isTTY === true
  const shown = (line: string): string => printable(withEscapes(line))
  let count = 0
  try {
    for await (const line of lines) {
      if (!to.write(`${isShown ? shown(line) : line}\n`)) await once(to, 'drain')
      // What stands behind the entries of a thread is not counted among them.
      if (!line.startsWith('{"record":')) progress.at(++count)
    }
    return count
  } finally {
    progress.end()
  }
}
