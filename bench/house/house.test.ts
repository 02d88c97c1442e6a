import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { mustRun, root, run } from '../../tests/support/workshop.ts'
import { checkOut } from '../checkout.ts'
import { floorsOf } from './floors.ts'
import { longLines } from './long-lines.ts'
import { measureHouse, measureSources } from './measure-house.ts'
import { reportHouses } from './report-houses.ts'

const scratch = mkdtempSync(join(tmpdir(), 'minutebook-house-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Three floors: the index on the middle on the ground. */
const tidy: Readonly<Record<string, string>> = {
  'index.ts': `export { plan } from './plan/plan.ts'\nexport type { Entry } from './log/entry.ts'\n`,
  'plan/plan.ts': `import { part } from './part.ts'\nexport const plan = part\n`,
  'plan/part.ts': `import type { Entry } from '../log/entry.ts'\nimport { sum } from '../log/sum.ts'\nexport const part = (_: Entry): number => sum(1, 2)\n`,
  'log/entry.ts': `export interface Entry {}\n`,
  'log/sum.ts': `${'\n'.repeat(98)}export const sum = (a: number, b: number): number => a + b\n`,
}
const measured = (files: Readonly<Record<string, string>>): ReturnType<typeof measureSources> =>
  measureSources(new Map(Object.entries(files)))

describe('a package in figures', () => {
  test('a tidy one', () => {
    expect(measured(tidy)).toEqual({
      files: 5,
      rooms: 3,
      floors: 3,
      arrows: 3,
      upward: [],
      cycles: [],
      lines: { median: 2, p90: 99, max: 99, all: 107 },
      chain: 4,
      longLines: [],
    })
  })

  test('a type that the ground takes from above is an upward arrow, and makes no floor', () => {
    const { upward, floors, arrows, cycles, chain } = measured({
      ...tidy,
      'log/entry.ts': `import type { Plan } from '../plan/kind.ts'`,
      'plan/kind.ts': '',
    })
    expect(upward).toEqual(['log → plan (log/entry.ts → plan/kind.ts)'])
    expect({ floors, arrows, cycles, chain }).toEqual({ floors: 3, arrows: 4, cycles: [], chain: 5 })
  })

  test('files that import each other are a cycle', () => {
    expect(measured({ ...tidy, 'log/entry.ts': `import type { Plan } from '../plan/part.ts'` }).cycles).toEqual([
      'plan/part.ts → log/entry.ts → plan/part.ts',
    ])
  })

  test('of two ways to open a circle, the one that opens more is taken, and then the one with fewer imports', () => {
    const graph = (arrows: readonly (readonly [string, string, number?])[]): Map<string, Map<string, number>> => {
      const made = new Map<string, Map<string, number>>()
      for (const [from, to, imports = 1] of arrows)
        made
          .set(to, made.get(to) ?? new Map())
          .set(from, (made.get(from) ?? new Map<string, number>()).set(to, imports))
      return made
    }
    expect(
      floorsOf(
        graph([
          ['a', 'b', 5],
          ['b', 'a', 2],
        ]),
      ).upward,
    ).toEqual([['b', 'a']])
    const both = floorsOf(
      graph([
        ['top', 'left'],
        ['top', 'right'],
        ['left', 'low'],
        ['right', 'low'],
        ['low', 'top', 9],
      ]),
    )
    expect(both.upward).toEqual([['low', 'top']])
    expect(Object.fromEntries(both.floors)).toEqual({ low: 1, left: 2, right: 2, top: 3 })
    const separate = floorsOf(
      graph([
        ['a', 'b', 2],
        ['b', 'a'],
        ['c', 'd'],
        ['d', 'c', 2],
      ]),
    ).upward
    expect(new Set(separate.map(String))).toEqual(new Set(['b,a', 'c,d']))
  })

  test('the package that is there', () => {
    const house = measureHouse(join(root, 'packages/core'))
    expect(house?.files).toBeGreaterThan(50)
    expect(house?.cycles).toEqual([])
    expect(Object.keys(house?.names ?? {})).toContain('minutebook')
    expect(measureHouse(join(root, 'packages/none'))).toBeUndefined()
  })
})

describe('long lines', () => {
  const wide = 'x'.repeat(30)
  test.for([
    ['code', `const ${wide} = 1`, true],
    ['a comment', `// ${wide}`, true],
    ['a string to the end', `f('${wide}')`, false],
    ['a template with code in it', `throw f(\`a \${b('c')} ${wide}\`),`, false],
    ['code behind a string', `f('${wide}', then)`, true],
    ['code, and a string that begins behind the column', `const ${wide} = ''`, true],
    ['a comment behind a string', `f('${wide}') // why`, true],
    ['what fits', `const x = '${'x'.repeat(8)}'`, false],
  ] as const)('%s', ([, line, isLong]) => {
    expect(longLines(`let a = 1\n${line}\n`, 20)).toEqual(isLong ? [2] : [])
  })

  test('the inside of a template of many lines', () => {
    expect(longLines(`const a = \`\n${wide}\n\${b} ${wide}\n\`\nconst ${wide} = 1`, 20)).toEqual([5])
  })
})

test('before and after stand side by side', () => {
  const house = { ...measured(tidy), names: { minutebook: { values: 1, types: 2 } } }
  const worse = {
    ...house,
    rooms: 12,
    upward: ['log → plan (a → b)'],
    names: { 'minutebook/store': { values: 3, types: 4 } },
  }
  const report = reportHouses([
    { name: 'core', before: { house, installed: undefined }, now: { house: worse, installed: 800_000 } },
  ])
  expect(report).toMatch(/^\| rooms +\| +3 \| +12 \|$/m)
  expect(report).toMatch(/^\| installed +\| +not built \| +800 kB \|$/m)
  expect(report).toMatch(/^\| minutebook +\| +1 \| +2 \| +3 \| +– \| +– \| +– \|$/m)
  expect(report).toContain('- core: upward: log → plan (a → b)')
})

const hasGit = (await run('git', ['--version'], root)).code === 0

describe.skipIf(!hasGit)('a checkout', () => {
  test('holds what a commit held, or what is there now, and resolves the packages to itself', async () => {
    const repository = join(scratch, 'repository')
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(repository, file)), { recursive: true })
      writeFileSync(join(repository, file), text)
    }
    const git = (...args: readonly string[]): Promise<string> =>
      mustRun('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], repository)
    const version = (checkout: string): string =>
      readFileSync(join(checkout, 'node_modules/minutebook/version.txt'), 'utf8')
    write('.gitignore', 'node_modules/\n*.log\n')
    write('packages/core/package.json', '{ "name": "minutebook" }')
    write('packages/core/version.txt', 'one')
    write('node_modules/zod/index.js', 'installed')
    await git('init', '--quiet')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'one')
    write('packages/core/version.txt', 'two')
    write('packages/core/new.txt', 'not added')
    write('packages/core/own.log', 'ignored')

    const before = await checkOut('HEAD', repository)
    const now = await checkOut(undefined, repository)
    onTestFinished(() => [before, now].forEach((checkout) => checkout.remove()))
    expect([version(before.folder), version(now.folder)]).toEqual(['one', 'two'])
    expect(readFileSync(join(before.folder, 'node_modules/zod/index.js'), 'utf8')).toBe('installed')
    expect(readFileSync(join(now.folder, 'packages/core/new.txt'), 'utf8')).toBe('not added')
    expect(() => readFileSync(join(now.folder, 'packages/core/own.log'))).toThrow('ENOENT')
    await expect(checkOut('nothing', repository)).rejects.toThrow('There is no commit nothing here')
  })
})
