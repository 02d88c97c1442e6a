import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly body: Buffer
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
    return new Set(found.map((each) => relative(folder, join(each.parentPath, each.name)).split(sep).join('/')))
  } catch {
    return new Set()
  }
}

/** Undefined if the file is gone since. */
function read(file: string, path: string): PageFile | undefined {
  const body = bytesOf(file)
  if (!body) return undefined
  const type = types[extname(path)] ?? 'application/octet-stream'
  const packs = /^(text|application\/json|image\/svg)/.test(type) && body.length > 1000
  return {
    type,
    body,
    isHashed: path.startsWith('assets/'),
    ...(packs && {
      gzip: gzipSync(body, { level: 9 }),
      brotli: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    }),
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
