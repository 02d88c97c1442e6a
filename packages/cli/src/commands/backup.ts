import { statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import {
  configuredCounters,
  openArchive,
  openStores,
  printableLine,
  storeFiles,
  type Config,
  type ThreadVerification,
} from '@minutebook/server'
import { backupFile, type Backup } from '@minutebook/sqlite'
import { MinutebookError } from 'minutebook'
import { configOf } from '../connection/location.ts'
import { tellFailure } from '../terminal/failure.ts'
import { createProgress } from '../terminal/live.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, homePath } from '../terminal/text.ts'
import { type DefineCommand, localCommand, type RecordOptions, show } from './command.ts'
import { verificationLines, verifiedAll } from './verify.ts'

interface Options extends RecordOptions {
  readonly quick?: boolean
}

/** A file that was copied, and what its copy contains. */
interface BackedUp extends Backup {
  readonly file: string
  readonly to: string
  /** Undefined if the entries and prompts were not checked. */
  readonly threads: readonly ThreadVerification[] | undefined
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  localCommand(command)
    .argument('[file]', 'the file, or the data folder (default: your data folder)')
    .argument('[to]', 'the new file, or a folder for it (default: this folder, with the time in the name)')
    .option('--quick', 'check only the pages of the copy, not its entries and prompts')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, to: string | undefined, { quick = false, ...options }: Options) => {
      try {
        const { config, files } = await filesOf(terminal, file, options)
        const pairs = files.map((from) => [from, placeFor(terminal, from, to, files.length)] as const)
        const made: BackedUp[] = []
        for (const [from, place] of pairs) {
          const copied = await copy(terminal, from, place)
          const threads = quick ? undefined : await verified(terminal, config, place)
          made.push({ file: from, to: place, ...copied, threads })
        }
        const ok = made.every(({ threads = [] }) => threads.every((thread) => thread.ok))
        show(terminal, options, { ok, backups: made }, () => made.flatMap((each) => linesOf(each, terminal)))
        setExitCode(ok ? 0 : 1)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
      }
    })
}

/** The files to copy: the one that is named, or all of the data folder. */
async function filesOf(
  terminal: Terminal,
  file: string | undefined,
  options: Options,
): Promise<{ readonly config: Config; readonly files: readonly string[] }> {
  if (file !== undefined && options.data !== undefined)
    throw new MinutebookError('bad_address', 'Both a file and --data are named.', 'Name only one of them.')
  const config = await configOf(terminal, { ...options, data: file ?? options.data })
  if (config.database !== undefined && file === undefined && options.data === undefined)
    throw new MinutebookError(
      'bad_address',
      'The record is in a Postgres database, and this command copies files of SQLite.',
      'Back the database up with its own tools, such as pg_dump. For a file, name it: minutebook backup FILE.',
    )
  const isFolder = statSync(config.data, { throwIfNoEntry: false })?.isDirectory() === true
  const files = isFolder ? storeFiles(config.data) : [config.data]
  if (files.length === 0)
    throw new MinutebookError(
      'store_missing',
      `There is no record in ${printableLine(homePath(config.data))} yet.`,
      'Name the file: minutebook backup FILE.',
    )
  return { config, files }
}

/** Where the copy of a file goes. Nothing is copied if one of several has no place of its own. */
function placeFor(terminal: Terminal, file: string, to: string | undefined, count: number): string {
  const wanted = resolve(terminal.folder, to ?? '.')
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true) return join(wanted, datedName(file))
  if (count === 1) return wanted
  throw new MinutebookError(
    'bad_address',
    `The data folder has ${count} files, and "${basename(wanted)}" is not a folder.`,
    'Name a folder that exists, or one of the files.',
  )
}

/** The name of a file with the time in it, to the second, in UTC: `minutebook-20260102T030405Z.db`. */
function datedName(file: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const end = extname(file)
  return `${basename(file, end)}-${time}${end}`
}

async function copy(terminal: Terminal, file: string, to: string): Promise<Backup> {
  const progress = createProgress(terminal, 'Copying', 'MB')
  const megabytes = (bytes: number): number => Math.round(bytes / 1e6)
  try {
    return await backupFile(file, to, {
      progress: (copied, total) => progress.at(megabytes(copied), megabytes(total)),
    })
  } finally {
    progress.end()
  }
}

/** Checks every thread of a copy, as `minutebook verify --all` does. */
async function verified(terminal: Terminal, config: Config, file: string): Promise<readonly ThreadVerification[]> {
  const stores = await openStores({ ...config, database: undefined }, { turns: false, file })
  try {
    const { states, policies, prices } = config
    const counters = await configuredCounters(config)
    return await verifiedAll(openArchive(stores.of('default').store, { counters, states, policies, prices }), terminal)
  } finally {
    await stores.close()
  }
}

function linesOf({ file, to, bytes, threads }: BackedUp, terminal: Terminal): string[] {
  const { paint } = terminal
  const wrong = threads?.filter(({ ok }) => !ok) ?? []
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const checked =
    threads === undefined
      ? 'its entries and prompts are not checked'
      : `${counted(threads.length, 'thread')} with ${counted(sumOf(threads, 'entries'), 'entry', 'entries')} and ${counted(sumOf(threads, 'prompts'), 'prompt')} checked`
  const mark = wrong.length === 0 ? paint.green('✓') : paint.red('✗')
  return [
    `${mark} ${printableLine(basename(file))} is copied to ${paint.bold(printableLine(homePath(to)))}: ${size}, ${checked}`,
    ...(wrong.length === 0 ? [] : ['The copy is what the file is. The file itself has these problems:']),
    ...wrong.flatMap((thread) => verificationLines(thread, terminal)),
  ]
}

function sumOf(threads: readonly ThreadVerification[], field: 'entries' | 'prompts'): number {
  return threads.reduce((sum, thread) => sum + thread[field], 0)
}
