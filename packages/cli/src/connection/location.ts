import { statSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { findFile, namedIn, noFolderError, readConfig, type Config } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { isFileName, type RecordFlags } from '../terminal/text.ts'
import type { ServerAddress } from './server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { trusted } from './trust.ts'

/** Where the record is, as given on the command line. */
export interface Location extends RecordFlags {
  /** The key for that server. */
  readonly key?: string | undefined
  /** Whether the command may write the first thread of a tenant. */
  readonly addsTenant?: boolean | undefined
}

/**
 * The settings, without the environment variables that only this command reads. Throws `untrusted_config` if the working
 * directory has a file of settings that was not named and that the person does not trust.
 */
export async function configOf(
  terminal: Terminal,
  { config, data, database }: Location,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<Config> {
  const { MINUTEBOOK_SERVER: _, MINUTEBOOK_KEY: __, ...environment } = terminal.environment
  const { folder } = terminal
  const found = config === undefined && namedIn(environment) === undefined ? findFile(folder) : undefined
  const isTrusted = found !== undefined && (await trusted(terminal, found))
  return readConfig({
    path: config,
    flags: { data, database, ...flags },
    environment,
    folder,
    trusts: ({ text }) => isTrusted && text === found.text,
  })
}

/**
 * The file that `data` names instead of a folder: one that is there, or that has the name of one. Undefined if it is a
 * folder, or if the record is in a database.
 */
export function fileIn({ data, database }: Pick<Config, 'data' | 'database'>): string | undefined {
  if (database !== undefined) return undefined
  const found = statsOf(data)
  return (found ? found.isFile() : isFileName(data)) ? data : undefined
}

function statsOf(data: string): Stats | undefined {
  try {
    return statSync(data, { throwIfNoEntry: false })
  } catch (error) {
    throw noFolderError(data, error)
  }
}

/** For a command that writes to the record. */
export function writesNoFileError(file: string): MinutebookError {
  const name = basename(file)
  return new MinutebookError(
    'read_only',
    `"${name}" is a file, and the minutebook command only reads files.`,
    `Write to it with the program that it belongs to. To look at it: minutebook console ${name}. For a record of its own, pass a folder as --data.`,
  )
}

/** The server that was named by `--server`, or by `MINUTEBOOK_SERVER` if nothing else was named. */
export function namedServer(
  { environment }: Terminal,
  { server, key, data, database }: Location,
): ServerAddress | undefined {
  const isElsewhere = data !== undefined || database !== undefined
  if (server !== undefined && isElsewhere)
    throw addressError('Both a server and a local record are named.', 'Pass either --server, or --data or --database.')
  const named = server ?? (isElsewhere ? undefined : environment['MINUTEBOOK_SERVER'])
  if (named === undefined || named === '') {
    if (key === undefined) return undefined
    throw addressError('--key needs a server.', 'Name it with --server, or with MINUTEBOOK_SERVER.')
  }
  return { url: addressOf(named), token: key ?? environment['MINUTEBOOK_KEY'] }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw addressError(
      'The address of a server must begin with http:// or https://, without a user name or a query.',
      'Write it like --server https://minutebook.example.',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function addressError(problem: string, fix: string): MinutebookError {
  return new MinutebookError('bad_address', problem, fix)
}
