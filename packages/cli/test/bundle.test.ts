import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countModules,
  installCommand,
  type InstalledCommand,
} from '../../../tests/support/process/installed-command.ts'
import { publicSources } from '../../../tests/support/workshop.ts'
import { commands } from '../src/commands/commands.ts'
import { gardenFolder } from './support/data-folder.ts'

describe('the published command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-bundle-'))
  let command: InstalledCommand

  beforeAll(async () => {
    command = await installCommand(folder, { version: '1.2.3', sources: publicSources() })
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function run(args: readonly string[], data = folder): { code: number | null; text: string; modules: number } {
    const { NODE_OPTIONS: _, ...environment } = process.env
    const { status, output } = spawnSync(
      process.execPath,
      ['--no-warnings', '--import', countModules, command.file, ...args],
      {
        env: { ...environment, MINUTEBOOK_DATA: data },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        encoding: 'utf8',
        cwd: folder,
      },
    )
    return { code: status, text: `${output[1]}${output[2]}`, modules: Number(output[3]) }
  }

  test('says its version and its help from a handful of modules', () => {
    expect(run(['--version'])).toMatchObject({ code: 0, text: '1.2.3\n' })
    expect(run(['--version']).modules).toBeLessThanOrEqual(8)
    expect(run(['--help']).modules).toBeLessThanOrEqual(8)
  })

  test('says in a sentence that a Node is too old', () => {
    const older = (version: string): string =>
      `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`
    const started = (version: string): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, ['--import', older(version), command.file, '--version'], { encoding: 'utf8' })
    expect(started('20.20.2')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Minutebook needs Node 22\.18 or later, and this is Node 20\.20\.2\. .+\n$/,
      ) as string,
    })
    expect(started('22.17.1').status).toBe(1)
    expect(started('22.18.0')).toMatchObject({ status: 0, stdout: '1.2.3\n' })
  })

  test('reads the record without loading the gateway', async () => {
    using data = await gardenFolder()
    const threads = run(['threads'], data.path)
    expect(threads).toMatchObject({ code: 0, text: expect.stringContaining('garden') as string })
    expect(threads.modules).toBeLessThanOrEqual(30)
    expect(run(['explain'], data.path).modules).toBeLessThanOrEqual(30)
    expect(run(['serve', '--help']).modules).toBeGreaterThan(0)
  })

  test.for(commands.map(({ name, description }) => [name, description] as const))(
    'has the command %s',
    ([name, description]) => {
      const { code, text } = run([name, '--help'])
      expect({ code, isDescribed: text.replaceAll(/\s+/g, ' ').includes(description) }, text).toEqual({
        code: 0,
        isDescribed: true,
      })
    },
  )

  test('knows the errors of the packages that it does not contain', () => {
    const { code, text } = run(['threads', '--json', '--database', 'postgres://someone@127.0.0.1:9/somewhere'])
    expect(code).toBe(1)
    expect(text).toContain('"code":"store_unreachable"')
    expect(text).toContain('Postgres at 127.0.0.1:9')
  })

  test('contains no package that reads files of its own', () => {
    expect(command.packages.length).toBeGreaterThan(10)
    const names = command.packages.map((each) => each.split('/node_modules/').at(-1))
    expect(names.filter((name) => name === 'pg' || name === '@minutebook/postgres')).toEqual([])
  })
})
