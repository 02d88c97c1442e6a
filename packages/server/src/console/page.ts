import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly body: Buffer
  /** The same bytes as the build compressed them, if it did. */
  readonly gzip?: Buffer | undefined
  readonly brotli?: Buffer | undefined
  /** Its name changes with what it holds. */
  readonly isHashed: boolean
}

/** The built page. */
export interface Page {
  /** A file by its path below the folder; undefined if it does not exist. */
  file(path: string): PageFile | undefined
}

/**
 * Reads what the folder contains at the first request, and again after a new build. Nothing else can be read from the
 * disk.
 */
export function readPage(folder: string): Page {
  let built = 0
  let paths: ReadonlySet<string> = new Set()
  let files = new Map<string, PageFile>()
  const look = (): void => {
    const time = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (time === built) return
    built = time
    paths = pathsBelow(folder)
    files = new Map()
  }
  return {
    file: (path) => {
      if (path === 'index.html' || paths.size === 0) look()
      if (!paths.has(path)) return undefined
      const file = files.get(path) ?? read(join(folder, path), path)
      if (file) files.set(path, file)
      return file
    },
  }
}

function pathsBelow(folder: string): ReadonlySet<string> {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    const paths = found.map((each) => relative(folder, join(each.parentPath, each.name)).split(sep).join('/'))
    return new Set(paths.filter((path) => !/\.(br|gz)$/.test(path)))
  } catch {
    return new Set()
  }
}

/** Undefined if the file is gone since. */
function read(file: string, path: string): PageFile | undefined {
  const body = bytesOf(file)
  if (!body) return undefined
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    body,
    isHashed: path.startsWith('assets/'),
    gzip: bytesOf(`${file}.gz`),
    brotli: bytesOf(`${file}.br`),
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
