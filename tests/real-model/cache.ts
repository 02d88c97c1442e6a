import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const cacheFolder = join(import.meta.dirname, '.cache')

/**
 * The path of a generated folder, made by `fill` when it is not there yet. Its name carries a digest of `sources`, so
 * that a changed source is never served from an old folder. The folder appears in one step: processes that start
 * together cannot see it half filled.
 */
export function cachedFolder(name: string, sources: readonly string[], fill: (folder: string) => void): string {
  const folder = join(cacheFolder, `${name}-${digestOf(sources)}`)
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder, { recursive: true })
  const draft = mkdtempSync(join(cacheFolder, `${name}-draft-`))
  try {
    fill(draft)
    moveUnlessThere(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(readFileSync(path)).update('\0')
  return hash.digest('hex').slice(0, 12)
}

function moveUnlessThere(draft: string, folder: string): void {
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
