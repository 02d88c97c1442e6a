import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/workshop.ts'
import { nextVersion } from './version.ts'

const example = 'examples/next-chat/package.json'

/** A repository with what a release reads and writes. */
function workshop(changesets: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'CITATION.cff', '.changeset/config.json', example]
  for (const file of [...files, ...globSync('{packages/*,bench,examples,tests}/package.json', { cwd: root })]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  for (const [name, text] of Object.entries(changesets)) writeFileSync(join(folder, `.changeset/${name}.md`), text)
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'all')
  return folder
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifestsIn = (folder: string): Manifest[] =>
  globSync('{packages/*,bench,examples,tests}/package.json', { cwd: folder }).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Manifest,
  )

test('a change of one package is a version of all, in packages, changelog and citation', () => {
  const folder = workshop({
    'a-repair': '---\n"@minutebook/sqlite": patch\n---\n\nA full disk is reported sooner.\n',
    'a-thing': '---\n"minutebook": minor\n---\n\nPins can be moved.\n\nUse `move`.\n',
  })
  const before = manifestsIn(folder)
  const [, now = ''] = /^(\d+\.\d+)/.exec(before.find(({ name }) => name === 'minutebook')?.version ?? '') ?? []
  const [major, minor] = now.split('.').map(Number)
  const next = `${major}.${(minor ?? 0) + 1}.0`
  expect(nextVersion(folder, '2026-12-01')).toBe(next)

  const manifests = manifestsIn(folder)
  const published = manifests.filter((each) => each.private !== true)
  expect(published.length).toBeGreaterThan(10)
  for (const { name, version, dependencies, devDependencies, peerDependencies } of published) {
    expect([name, version]).toEqual([name, next])
    for (const [other, range] of Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }))
      if (published.some((each) => each.name === other)) expect([name, other, range]).toEqual([name, other, `^${next}`])
  }
  for (const { version } of manifests.filter((each) => each.private === true)) expect(version).toBe('0.0.0')
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(
    `\n## ${next} (2026-12-01)\n\n- Pins can be moved.\n\n  Use \`move\`.\n- A full disk is reported sooner.\n\n## 0.1.0`,
  )
  expect(readFileSync(join(folder, 'CITATION.cff'), 'utf8')).toMatch(new RegExp(`^version: ${next}$`, 'm'))
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, example), 'utf8')) as Manifest
  const packed = Object.entries(dependencies).filter(([, range]) => range.startsWith('file:'))
  expect(packed.length).toBe(3)
  for (const [name, range] of packed)
    expect(range).toBe(`file:../../packed/${name.replace('@', '').replace('/', '-')}-${next}.tgz`)
  expect(globSync('.changeset/*.md', { cwd: folder })).toEqual([])
})

test('without a changeset nothing changes', () => {
  const folder = workshop({})
  expect(nextVersion(folder, '2026-12-01')).toBe(undefined)
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
})
