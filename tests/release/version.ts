// Which version comes next? Writes it into every package, and the changesets into the changelog: npm run release:version
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/workshop.ts'

/** As much as we read of what `changeset status` writes. */
interface Status {
  readonly changesets: readonly {
    readonly summary: string
    readonly releases: readonly { readonly type: 'major' | 'minor' | 'patch' }[]
  }[]
  readonly releases: readonly { readonly name: string; readonly newVersion: string }[]
}

const changeset = join(root, 'node_modules/@changesets/cli/bin.js')

/** Returns the version, or undefined if there is no changeset. `day` is the day of the release: `2026-11-19`. */
export function nextVersion(folder: string, day: string): string | undefined {
  const file = 'changesets.json'
  const run = (...args: readonly string[]): unknown =>
    execFileSync(process.execPath, [changeset, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  run('status', '--output', file)
  const { changesets, releases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Status
  rmSync(join(folder, file))
  const version = releases.find(({ name }) => name === 'minutebook')?.newVersion
  if (changesets.length === 0 || version === undefined) return undefined
  const lines = (['major', 'minor', 'patch'] as const).flatMap((type) =>
    changesets
      .filter(({ releases: [first] }) => first?.type === type)
      .map(({ summary }) => `- ${summary.trim().replaceAll(/\n(?=.)/g, '\n  ')}`),
  )
  run('version')
  rewrite(join(folder, 'CHANGELOG.md'), /^## /m, `## ${version} (${day})\n\n${lines.join('\n')}\n\n## `)
  rewrite(join(folder, 'CITATION.cff'), /^version: .+$/m, `version: ${version}`)
  // The example is installed from the files of npm run pack, which have the version in their names.
  rewrite(
    join(folder, 'examples/next-chat/package.json'),
    /(?<=\/packed\/minutebook-(?:[a-z-]+-)?)\d[^"/]*(?=\.tgz")/g,
    version,
  )
  return version
}

function rewrite(file: string, what: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8')
  if (!what.test(before)) throw new Error(`${file} has no place for it: ${what.source}`)
  writeFileSync(
    file,
    before.replace(what, () => text),
  )
}

if (import.meta.main) {
  if (!existsSync(changeset)) throw new Error('Run npm ci first.')
  const version = nextVersion(root, new Date().toISOString().slice(0, 10))
  console.log(version === undefined ? 'There is no changeset: npm run changeset writes one.' : `Now it is ${version}.`)
  if (version === undefined) process.exitCode = 1
  // The lock file names the versions of our packages, too.
  else execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' })
}
