import { describe, expect, test } from 'vitest'
import { brokenRules, houseRules, houses, type Exceptions, type House } from '../../../tests/support/house-rules.ts'

// If a finding is meant, put it into the package's test/architecture.json with its reason.
describe('every package keeps the rules, except for what its test/architecture.json names', () => {
  test.for([...houses()])('%s', ([, { house, exceptions }]) => {
    expect(house.sources.size).toBeGreaterThan(0)
    expect([...house.entries].filter((file) => !house.sources.has(file))).toEqual([])
    expect(brokenRules(house, exceptions)).toEqual({})
  })

  test('core has no exception without a reason, except for long files', () => {
    const { 'files over 300 lines': _long, ...others } = houses().get('core')?.exceptions ?? {}
    expect(
      Object.values(others)
        .flat()
        .filter((exception) => !exception.includes(': ')),
    ).toEqual([])
  })
})

/** A file with `count` lines. */
const lines = (count: number, first = ''): string => `${first}${'\n'.repeat(count - 1)}x\n`
const house = (files: Readonly<Record<string, string>>, entries: readonly string[] = []): House => ({
  sources: new Map(Object.entries(files)),
  entries: new Set(entries),
})
const importing = (count: number, target: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}.ts`, lines(40, `import '${target}'`)]))

/** Each rule, a tree that breaks it, the same tree put right, and the finding. */
const examples: readonly { rule: string; name: string; bad: House; good: House; finding: string }[] = [
  {
    rule: 'import cycles, types included',
    name: 'a cycle of three, one of its imports a type',
    bad: house({
      'log/a.ts': `import './b.ts'`,
      'log/b.ts': `import type { C } from './c.ts'`,
      'log/c.tsx': '',
      'log/c.ts': `export * from './a.ts'`,
    }),
    good: house({
      'log/a.ts': `import './b.ts'`,
      'log/b.ts': `import type { C } from './c.ts'`,
      'log/c.ts': `// import './a.ts'`,
    }),
    finding: 'log/a.ts → log/b.ts → log/c.ts → log/a.ts',
  },
  {
    rule: 'import cycles, types included',
    name: 'a file that imports itself',
    bad: house({ 'log/a.ts': `export type T = import('./a.ts').U` }),
    good: house({ 'log/a.ts': `export type T = 1` }),
    finding: 'log/a.ts → log/a.ts',
  },
  {
    rule: 'rooms that import each other',
    name: 'a circle of rooms without a cycle of files',
    bad: house({
      'a/1.ts': `import '../b/1.ts'`,
      'a/2.ts': '',
      'b/1.ts': `import type { C } from '../c.ts'`,
      'c.ts': `import './a/2.ts'`,
    }),
    good: house({
      'a/1.ts': `import '../b/1.ts'`,
      'a/2.ts': `import './1.ts'`,
      'b/1.ts': `import '../c.ts'`,
      'c.ts': '',
    }),
    finding: 'c.ts: in a circle of 3 rooms',
  },
  {
    rule: 'files over 300 lines',
    name: '301 lines',
    bad: house({ 'a.ts': lines(301) }),
    good: house({ 'a.ts': lines(300) }),
    finding: 'a.ts: 301 lines',
  },
  {
    rule: 'files over 400 lines',
    name: '401 lines',
    bad: house({ 'a.tsx': lines(401) }),
    good: house({ 'a.tsx': lines(400) }),
    finding: 'a.tsx: 401 lines',
  },
  {
    rule: 'files under 40 lines',
    name: '39 lines',
    bad: house({ 'a.ts': lines(39) }),
    good: house({ 'a.ts': lines(40), 'index.ts': '', 'their.d.ts': '' }, ['index.ts']),
    finding: 'a.ts: 39 lines; put it into the file that imports it',
  },
  {
    rule: 'files under 40 lines',
    name: 'a short file that eight files import',
    bad: house({ 'a.ts': '', ...importing(8, './a.ts') }),
    good: house({ 'a.ts': '', ...importing(9, './a.ts') }),
    finding: 'a.ts: 1 lines; put it into the file that imports it',
  },
  {
    rule: 'files under 40 lines',
    name: 'a short file that is loaded on demand',
    bad: house({ 'a.ts': '', 'b.ts': lines(40, `type A = import('./a.ts').A`) }),
    good: house({ 'a.ts': '', 'b.ts': lines(40, `const load = () => import('./a.ts')`) }),
    finding: 'a.ts: 1 lines; put it into the file that imports it',
  },
  {
    rule: 'names that say nothing',
    name: 'a file',
    bad: house({ 'log/utils.tsx': '' }),
    good: house({ 'log/branch.tsx': '', 'log/sdk-types.ts': '' }),
    finding: 'log/utils.tsx: the name does not say what is in there',
  },
  {
    rule: 'names that say nothing',
    name: 'a folder',
    bad: house({ 'log/shared/branch.ts': '' }),
    good: house({ 'log/branch.ts': '' }),
    finding: 'log/shared: the name does not say what is in there',
  },
  {
    rule: 'names that say nothing',
    name: 'a part of a name',
    bad: house({ 'thread-shelf.ts': '' }),
    good: house({ 'thread-cache.ts': '' }),
    finding: 'thread-shelf.ts: the name does not say what is in there',
  },
  {
    rule: 'folders without a story file',
    name: 'a folder, and one within it',
    bad: house({ 'turns/turn.ts': '', 'turns/inner/send.ts': '' }),
    good: house({ 'turns/turn.ts': '', 'log/log.tsx': '', 'compiler/compile.ts': '', 'turns/inner/inner.ts': '' }),
    finding: 'turns/inner: has no turns/inner/inner.ts',
  },
]

describe('each rule can fail', () => {
  for (const { rule, name, bad, good, finding } of examples)
    test(`${rule}: ${name}`, () => {
      expect(houseRules[rule]?.(bad)).toContain(finding)
      expect(houseRules[rule]?.(good)).toEqual([])
    })

  test('every rule has an example', () => {
    expect([...new Set(examples.map(({ rule }) => rule))]).toEqual(Object.keys(houseRules))
  })
})

describe('a list of exceptions', () => {
  const bad = house({ 'a.ts': lines(39), 'b.ts': lines(40) })
  const broken = (short: readonly string[], more: Exceptions = {}): string[] =>
    Object.values(brokenRules(bad, { 'files under 40 lines': short, ...more })).flat()

  test('excuses what it names, with a reason or without', () => {
    expect(broken(['a.ts'])).toEqual([])
    expect(broken(['a.ts: a port'])).toEqual([])
    expect(broken([])).toEqual(['a.ts: 39 lines; put it into the file that imports it'])
  })

  test('does not keep what is no longer needed', () => {
    expect(broken(['a.ts', 'b.ts: once short', 'gone.ts'])).toEqual([
      'b.ts: is no longer an exception',
      'gone.ts: is no longer an exception',
    ])
    expect(broken(['a.ts', 'a.ts: a port'])).toEqual(['a.ts: is an exception twice'])
    expect(broken(['a.ts'], { 'long files': [] })).toEqual(['long files: there is no such rule'])
  })
})
