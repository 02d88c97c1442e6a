import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from './problem.ts'
import { isFields, type Fields } from './schema.ts'

/** What a file says, unchecked. */
export interface LoadedFile {
  readonly fields: Fields
  readonly problems: readonly Problem[]
}

/** A file of settings that somebody has put into a folder, and that was not named. */
export interface FoundFile {
  readonly path: string
  /** Its text as it was read: trust is in this text, and not in what the file says later. */
  readonly text: string
  /** What it says, unchecked. */
  readonly fields: Fields
}

/** Reads the file that is named, which must be there. */
export function loadFile(named: string, folder: string): LoadedFile {
  const path = resolve(folder, named)
  try {
    return readText(readFileSync(path, 'utf8'), path)
  } catch (error) {
    return unreadable(path, error)
  }
}

/** The `minutebook.yaml` of a folder; undefined if there is none. Reads the file, and does nothing else. */
export function findFile(folder: string): (FoundFile & LoadedFile) | undefined {
  const path = resolve(folder, fileName)
  if (!existsSync(path)) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    return { path, text, ...readText(text, path) }
  } catch (error) {
    return { path, text: '', ...unreadable(path, error) }
  }
}

const fileName = 'minutebook.yaml'

function unreadable(path: string, error: unknown): LoadedFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  return broken(
    `The file "${path}" cannot be read (${code}). Correct its path, which comes from --config or MINUTEBOOK_CONFIG.`,
  )
}

function readText(text: string, path: string): LoadedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    return {
      fields: {},
      problems: document.errors.map(({ code, pos }) => ({
        field: '',
        text: `${basename(path)}, line ${lines.linePos(pos[0]).line}: this is no YAML (${code}). Mend that line.`,
      })),
    }
  }
  const fields: unknown = document.toJS() ?? {}
  if (!isFields(fields)) return broken(`${basename(path)} must hold settings by name, such as "port: 11435".`)
  return { fields: withPlace(fields, dirname(path)), problems: [] }
}

/** Paths in a file start where the file stands. */
function withPlace(fields: Fields, folder: string): Fields {
  const { data } = fields
  if (typeof data !== 'string' || data === '') return fields
  return { ...fields, data: data.startsWith('~/') ? join(homedir(), data.slice(2)) : resolve(folder, data) }
}

function broken(text: string): LoadedFile {
  return { fields: {}, problems: [{ field: '', text }] }
}
