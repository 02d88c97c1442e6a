import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mustRun, root, run } from '../tests/support/workshop.ts'

/** All files of a commit in a folder of their own, which can be run, built and packed there. */
export interface Checkout {
  readonly folder: string
  remove(): void
}

/**
 * Puts the files of a commit into a new folder; without one, those of this checkout as they are now, except what git
 * ignores. The packages that are installed here serve there too; those of the project itself are that folder's own.
 */
export async function checkOut(commit?: string, from: string = root): Promise<Checkout> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-checkout-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    if (commit === undefined) await copyFiles(from, folder)
    else await unpack(commit, from, folder)
    linkPackages(from, folder)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

async function unpack(commit: string, from: string, folder: string): Promise<void> {
  const { code } = await run('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], from)
  if (code !== 0) throw new Error(`There is no commit ${commit} here. Name one that git log shows, such as HEAD~1.`)
  const archive = join(folder, '.archive.tar')
  await mustRun('git', ['archive', '--output', archive, commit], from)
  await mustRun('tar', ['-xf', archive, '-C', folder], folder)
  rmSync(archive)
}

async function copyFiles(from: string, folder: string): Promise<void> {
  const listed = await mustRun('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], from)
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(from, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(from, file), join(folder, file), { verbatimSymlinks: true })
  }
}

function linkPackages(from: string, folder: string): void {
  linkInstalled(from, folder, isForeign)
  const packages = join(folder, 'packages')
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    if (!existsSync(join(packages, name, 'package.json'))) continue
    linkInstalled(join(from, 'packages', name), join(packages, name), () => true)
    const { name: full } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as { name: string }
    const link = join(folder, 'node_modules', full)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(packages, name), link)
  }
}

const isForeign = (name: string): boolean =>
  name !== 'minutebook' && name !== '@minutebook' && !name.startsWith('.vite')

function linkInstalled(from: string, folder: string, isWanted: (name: string) => boolean): void {
  const installed = join(from, 'node_modules')
  if (!existsSync(installed)) return
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const name of readdirSync(installed).filter(isWanted)) {
    if (statSync(join(installed, name)).isDirectory())
      symlinkSync(join(installed, name), join(folder, 'node_modules', name))
  }
}
