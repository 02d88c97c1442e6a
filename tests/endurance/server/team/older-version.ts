import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../../support/workshop.ts'

/** The program of an older commit. */
export interface OlderVersion {
  /** Its hash, and what it says of itself. */
  readonly commit: string
  /** Starts its gateway, on its own sources. */
  readonly command: readonly string[]
}

/** Writes the files of a commit into a folder. Libraries are those that are installed here. */
export function olderVersion(name: string, folder: string): OlderVersion {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const commit = git('log', '-1', '--format=%h (%as) %s', name)
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', name], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  for (const place of ['', ...git('ls-tree', '--name-only', name, 'packages/').split('\n')]) {
    const libraries = join(root, place, 'node_modules')
    if (existsSync(libraries)) symlinkSync(libraries, join(folder, place, 'node_modules'))
  }
  const [sources, program] = ['tests/support/from-sources.ts', 'tests/support/process/gateway-process.ts']
  return {
    commit,
    command: [
      process.execPath,
      '--no-warnings',
      '--import',
      pathToFileURL(join(folder, sources)).href,
      join(folder, program),
    ],
  }
}
