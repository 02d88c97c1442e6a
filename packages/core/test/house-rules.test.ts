import { describe, expect, test } from 'vitest'
import { brokenRules, houseRules, houses, type House } from '../../../tests/support/house-rules.ts'

describe('every package keeps the rules', () => {
  test.for([...houses()])('%s', ([, house]) => {
    expect(house.sources.size).toBeGreaterThan(0)
    expect([...house.entries].filter((file) => !house.sources.has(file))).toEqual([])
    expect(brokenRules(house)).toEqual({})
  })
})

const house = (files: Readonly<Record<string, string>>): House => ({
  sources: new Map(Object.entries(files)),
  entries: new Set(),
})

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
