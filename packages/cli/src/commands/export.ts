import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import { readableLine, type Desk } from '@minutebook/server'
import { counted } from '../figures.ts'
import { withThread } from '../find-thread.ts'
import { createProgress } from '../progress.ts'
import { safeJson, withEscapes } from '../safe-json.ts'
import type { Terminal } from '../terminal.ts'
import { reading, readingCommand, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly output?: string
}

export function exportCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('export', 'Write a thread as lines of JSON, which a book can restore')
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('-o, --output <file>', 'a file in place of the standard output')
    .action((thread: string | undefined, options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const written = await withThread(desk, thread, (id) => exported(desk, id, terminal, options.output))
        if (options.output === undefined) return
        if (options.json === true) terminal.print(safeJson({ ...written, file: options.output }))
        else terminal.remark(`${terminal.paintErrors.green('✓')} ${counted(written.entries, 'entry', 'entries')} of ${readableLine(written.thread)} in ${readableLine(options.output)}`)
      }))
}

/** Writes to a draft beside the file first: what bears its name is whole. */
async function exported(desk: Desk, thread: string, terminal: Terminal, file: string | undefined): Promise<{ readonly thread: string; readonly entries: number }> {
  if (file === undefined) return { thread, entries: await write(desk, thread, terminal, terminal.output) }
  const draft = `${file}.part`
  const stream = createWriteStream(draft)
  try {
    const entries = await write(desk, thread, terminal, stream)
    stream.end()
    await finished(stream)
    await rename(draft, file)
    return { thread, entries }
  } catch (error) {
    stream.destroy()
    await rm(draft, { force: true })
    throw error
  }
}

async function write(desk: Desk, thread: string, terminal: Terminal, to: Writable): Promise<number> {
  const progress = createProgress(terminal, `Exporting ${readableLine(thread)}`, 'entries')
  // A file gets the very bytes; on a terminal they must not do anything.
  const isShown = to === terminal.output && terminal.output.isTTY === true
  let entries = 0
  try {
    for await (const line of desk.export(thread)) {
      if (!to.write(`${isShown ? withEscapes(line) : line}\n`)) await once(to, 'drain')
      progress.at(++entries)
    }
    return entries
  } finally {
    progress.end()
  }
}
