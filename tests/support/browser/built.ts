import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { mustRun, root } from '../workshop.ts'

export const consoleFolder: string = join(root, 'packages/console')
export const builtFolder: string = process.env['CONSOLE_FOLDER'] ?? join(consoleFolder, 'dist/page')

/**
 * Builds the console, unless CONSOLE_FOLDER names one that is built, where what is built is older than what is written.
 * Test files that run at once wait for each other.
 */
export async function ensureBuilt(): Promise<void> {
  const lock = join(tmpdir(), `minutebook-console-build${root.replaceAll(/\W+/g, '-')}`)
  for (let waited = 0; isStale(); waited++) {
    if (!taken(lock)) {
      if (waited > 600) rmSync(lock, { recursive: true, force: true })
      await after(200)
      continue
    }
    try {
      if (isStale()) await mustRun('npm', ['run', 'build', '-w', 'packages/console'], root)
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

function isStale(): boolean {
  if (process.env['CONSOLE_FOLDER'] !== undefined) return false
  const page = statSync(join(builtFolder, 'index.html'), { throwIfNoEntry: false })
  if (!page) return true
  const settings = statSync(join(consoleFolder, 'vite.config.ts')).mtimeMs
  return Math.max(settings, newestBelow(join(consoleFolder, 'src'))) > page.mtimeMs
}

function newestBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (newest, found) => Math.max(newest, statSync(join(found.parentPath, found.name)).mtimeMs),
    0,
  )
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
