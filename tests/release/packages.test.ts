import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packAll } from '../support/packed.ts'
import { filesBelow, mustRun, root, run } from '../support/workshop.ts'
import { bundledIn, installedWith, isAllowed } from './dependencies.ts'

const names = readdirSync(join(root, 'packages'))
const address = 'https://code.example/minutebook/minutebook'

/** What `npm run pack -- --repository …` writes: every package as a release publishes it. */
describe('the packed packages', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-release-'))
  const tarballs = new Map<string, string>()
  const unpacked = (name: string): string => join(scratch, 'unpacked', name, 'package')
  const textOf = (name: string, file: string): string => readFileSync(join(unpacked(name), file), 'utf8')

  beforeAll(async () => {
    const files = await packAll(names, scratch, { repository: `git+${address}.git` })
    for (const [index, name] of names.entries()) {
      const [file = '', folder] = [files[index], join(scratch, 'unpacked', name)]
      tarballs.set(name, file)
      mkdirSync(folder, { recursive: true })
      await mustRun('tar', ['-xzf', file], folder)
    }
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test.each(names)('%s pleases publint', async (name) => {
    const { messages } = await publint({ pkgDir: unpacked(name), level: 'suggestion', strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test.each(names)('%s has types that resolve', async (name) => {
    const cli = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const args = ['--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji']
    const outcome = await run(process.execPath, [cli, tarballs.get(name) ?? '', ...args], scratch)
    expect(outcome.code, `${outcome.stdout}\n${outcome.stderr}`).toBe(0)
  })

  test.each(names)('%s says where its repository, its page and its issues are', (name) => {
    expect(JSON.parse(textOf(name, 'package.json'))).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${name}` },
      homepage: `${address}#readme`,
      bugs: `${address}/issues`,
    })
  })

  test.each(names)('%s has its licence and its README, and neither sources nor tests', (name) => {
    const files = filesBelow(unpacked(name))
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    expect(files.filter((file) => /^(?:src|test)\/|(?<!\.d)\.ts$|\.tsbuildinfo$/.test(file))).toEqual([])
  })

  test.each(['cli', 'console'])('%s passes on the licence of each package that is inside', (name) => {
    const inside = bundledIn(name, unpacked(name))
    expect(inside.length).toBeGreaterThan(20)
    expect(inside.filter(({ license }) => !isAllowed(license))).toEqual([])
    const file = ['dist/THIRD-PARTY-LICENCES.txt', 'dist/page/THIRD-PARTY-LICENCES.md'].find((each) =>
      existsSync(join(unpacked(name), each)),
    )
    const texts = textOf(name, file ?? '').match(/Permission is hereby granted|Apache License/g) ?? []
    expect(texts.length).toBeGreaterThan(inside.length / 2)
  })

  test('of the page, React and what renders Markdown are named', () => {
    const inside = bundledIn('console', unpacked('console')).map(({ name }) => name)
    expect(inside).toEqual(expect.arrayContaining(['react', 'react-dom', 'react-markdown']))
  })
})

test.each(names)('all that npm installs with %s may be passed on', (name) => {
  expect(installedWith(name).filter(({ license }) => !isAllowed(license))).toEqual([])
})

test('what is installed is found through our own packages, and with both versions of one', () => {
  const found = installedWith('cli').map(({ name }) => name)
  // Of Postgres, which the command depends on.
  expect(found).toEqual(expect.arrayContaining(['pg', 'pg-boss']))
  expect(found).not.toContain('vitest')
  expect(installedWith('core')).toEqual([])
})

test('a licence that is not on the list is refused', () => {
  expect(
    ['GPL-3.0-only', 'AGPL-3.0-or-later', 'MIT AND GPL-2.0-only', 'unknown', 'SEE LICENSE IN X'].map(isAllowed),
  ).toEqual(Array.from({ length: 5 }, () => false))
  expect(['MIT', '(MIT OR CC0-1.0)', '(GPL-2.0-only OR MIT)'].map(isAllowed)).toEqual([true, true, true])
})
