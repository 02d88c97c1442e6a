import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { printableLine, type ImportedThread } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { counted } from '../terminal/text.ts'
import { linesOf } from '../connection/server.ts'
import { createProgress } from '../terminal/live.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly as?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('<file>', 'file of JSON lines; - reads the standard input')
    .option('--as <id>', 'id of the thread (default: the name of the file)')
    .action((file: string, { as = nameOf(file), ...options }: Options) =>
      withConnection(terminal, { ...options, addsTenant: true }, setExitCode, async ({ archive }) => {
        if (as === '')
          throw new MinutebookError(
            'no_name',
            'The thread needs a name, because it is read from the standard input.',
            'Pass one with --as.',
          )
        const imported = await archive.import(as, linesIn(file, terminal, as))
        show(terminal, options, imported, () => [
          `${terminal.paint.green('✓')} ${terminal.paint.bold(printableLine(imported.thread))} has ${counted(imported.entries, 'entry', 'entries')}`,
          ...setupLines(imported),
        ])
      }),
    )
}

/** The setup that was imported with the entries. It decides how the next turns run, so it is shown. */
function setupLines({ records }: ImportedThread): string[] {
  return records
    .filter(({ name }) => name === 'setup')
    .map(
      ({ value }) =>
        `  its setup, which its next turns use: ${printableLine(JSON.stringify((value as { readonly setup?: unknown }).setup ?? {}))}`,
    )
}

function nameOf(file: string): string {
  return file === '-' ? '' : basename(file).replace(/\.(?:jsonl|ndjson|json)$/, '')
}

async function* linesIn(file: string, terminal: Terminal, thread: string): AsyncGenerator<string> {
  const progress = createProgress(terminal, `Importing ${printableLine(thread)}`, 'entries')
  let count = 0
  try {
    for await (const line of linesOf(file === '-' ? terminal.input : createReadStream(file))) {
      yield line.trimEnd()
      progress.at(++count)
    }
  } catch (error) {
    const { syscall, code } = Object(error) as NodeJS.ErrnoException
    throw syscall === undefined ? error : unreadableError(file, code)
  } finally {
    progress.end()
  }
}

function unreadableError(file: string, code = 'unknown'): MinutebookError {
  return new MinutebookError(
    'unreadable_file',
    `${printableLine(file)} cannot be read (${code}).`,
    'Name a file that minutebook export has written.',
  )
}
