import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicApiOf, undocumented } from './support/api-report.ts'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { copyPackages, filesBelow, mustRun, root, run } from '../../../tests/support/workshop.ts'

/** First use: what someone gets who installs the package into an empty folder. */
describe('the package', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-first-use-'))
  const home = join(scratch, 'home')
  const installed = join(home, 'node_modules/minutebook')
  let tarball = ''

  beforeAll(async () => {
    tarball = await pack(join(scratch, 'workshop'))
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
    await mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], home)
  })

  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test('runs the first block of the README', async () => {
    const block = blocksOf('README.md', readFileSync(join(installed, 'README.md'), 'utf8')).find(isRunnable)
    if (block === undefined) throw new Error('README.md has nothing to run.')
    const file = join(home, `first.${block.language}`)
    writeFileSync(file, block.text)
    const outcome = await run(process.execPath, [file], home)
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.stdout.trim()).not.toBe('')
  })

  test('offers every subpath that it names', async () => {
    const { exports } = manifest() as { exports: Record<string, Record<string, string> | string> }
    const files = new Set(filesBelow(installed).map((file) => `./${file}`))
    const named = Object.values(exports).flatMap((offer) => (typeof offer === 'string' ? offer : Object.values(offer)))
    expect(named.filter((file) => !files.has(file))).toEqual([])
    const script = `for (const name of ['minutebook', 'minutebook/compile', 'minutebook/store', 'minutebook/wire', 'minutebook/fold', 'minutebook/inspect', 'minutebook/clock', 'minutebook/context', 'minutebook/ollama', 'minutebook/openai']) if (Object.keys(await import(name)).length === 0) throw new Error(name + ' is empty')`
    expect(await run(process.execPath, ['--input-type=module', '--eval', script], home)).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  test('takes at most 1,400 kB', () => {
    const sizes = filesBelow(installed).map((file) => statSync(join(installed, file)).size)
    expect(sizes.length).toBeGreaterThan(100)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_400_000)
  })

  test('brings nothing else along', () => {
    const { dependencies, optionalDependencies, bundleDependencies } = manifest()
    expect({ dependencies, optionalDependencies, bundleDependencies }).toEqual({})
    const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as { packages: object }
    expect(Object.keys(packages)).toEqual(['', 'node_modules/minutebook'])
  })

  test('holds the built files, the README and the license, and nothing else', () => {
    const others = filesBelow(installed).filter((file) => !/^dist\/.+\.(?:js|d\.ts)$/.test(file))
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json'])
  })

  test('shows a doc comment for every public name', () => expect(undocumented(publicApiOf(installed))).toEqual([]))

  function manifest(): Record<string, unknown> {
    return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  }
})

/** Packs core from a fresh copy, so that neither an old build nor a build under way can get into the tarball. */
async function pack(workshop: string): Promise<string> {
  const copy = join(workshop, 'packages/core')
  copyPackages(['core'], workshop)
  symlinkSync(join(root, 'node_modules'), join(workshop, 'node_modules'))
  await mustRun('npm', ['pack', '--silent', '--pack-destination', workshop], copy)
  const { version } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { version: string }
  return join(workshop, `minutebook-${version}.tgz`)
}
