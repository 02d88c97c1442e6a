import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anys, checks, foreignImports, worldly, wrongDirections } from './support/architecture.ts'
import { bundleForBrowser } from './support/bundle.ts'
import { codeOf, importsOf, withoutComments } from '../../../tests/support/code.ts'
import type { Sources } from '../../../tests/support/house-rules.ts'
import { filesBelow, sourceFolder } from '../../../tests/support/workshop.ts'

const sources: Sources = new Map(
  filesBelow(sourceFolder).map((file) => [file, readFileSync(join(sourceFolder, file), 'utf8')]),
)

describe('core', () => {
  test('has sources, all of them TypeScript', () => {
    expect([...sources.keys()].filter((file) => !file.endsWith('.ts'))).toEqual([])
    expect(sources.has('index.ts')).toBe(true)
  })

  for (const [name, check] of Object.entries(checks)) {
    test(name, () => expect(check(sources)).toEqual([]))
  }

  test('bundles for the browser and leaves nothing to import', async () => {
    expect((await bundleForBrowser(join(sourceFolder, 'index.ts'))).external).toEqual([])
  })
})

/** Each check, a tree that it must object to, and the same tree put right. */
const examples: readonly {
  name: string
  check: (sources: Sources) => string[]
  bad: Record<string, string>
  good: Record<string, string>
  finding: string
}[] = [
  {
    name: 'log imports compiler',
    check: wrongDirections,
    bad: { 'log/a.ts': `import {\n  type Plan,\n} from '../compiler/plan.ts'`, 'compiler/plan.ts': '' },
    good: { 'log/a.ts': '', 'compiler/plan.ts': `import { a } from '../log/a.ts'` },
    finding: 'log/a.ts:3: log may not import compiler (compiler/plan.ts)',
  },
  {
    name: 'a tokenizer imports more than types',
    check: wrongDirections,
    bad: { 'tokens/huggingface.ts': `import { type T, count } from './tokens.ts'` },
    good: { 'tokens/huggingface.ts': `import { type T, type U } from './tokens.ts'` },
    finding: 'tokens/huggingface.ts:1: may import only types of tokens/tokens.ts',
  },
  {
    name: 'a folder nobody decided on',
    check: wrongDirections,
    bad: { 'helpers/a.ts': '' },
    good: { 'log/a.ts': '' },
    finding: 'helpers/a.ts: "helpers" has no place in the table of directions',
  },
  {
    name: 'a node: module',
    check: foreignImports,
    bad: { 'tokens/huggingface.ts': `import { readFileSync } from 'node:fs'` },
    good: { 'tokens/huggingface.ts': `import { encode } from 'gpt-tokenizer'` },
    finding: 'tokens/huggingface.ts:1: imports node:fs',
  },
  {
    name: 'a package outside the tokenizers',
    check: foreignImports,
    bad: { 'log/a.ts': `export const z = await import("zod")` },
    good: { 'log/a.ts': `export const z = 'import("zod")'` },
    finding: 'log/a.ts:1: imports the package zod',
  },
  {
    name: 'a computed import',
    check: foreignImports,
    bad: { 'tokens/huggingface.ts': `await import(name)` },
    good: { 'tokens/huggingface.ts': `await import('x')` },
    finding: 'tokens/huggingface.ts:1: imports a computed name',
  },
  {
    name: 'an import of a file that is not there',
    check: foreignImports,
    bad: { 'log/a.ts': `import { b } from './b.js'`, 'log/b.ts': '' },
    good: { 'log/a.ts': `import { b } from './b.ts'`, 'log/b.ts': '' },
    finding: 'log/a.ts:1: imports ./b.js, which is not a file of src',
  },
  ...[
    'Date.now()',
    'new Date()',
    'Math.random()',
    'process.env',
    'globalThis.x',
    'console.log(1)',
    'setTimeout(f)',
    'performance.now()',
    'crypto.subtle',
  ].map((use) => ({
    name: use,
    check: worldly,
    bad: { 'log/a.ts': `const x = \`\${${use}}\`` },
    good: { 'log/a.ts': `// ${use}\nconst x = '${use}'; const y = entry.${use.replace('new ', '')}`, 'clock.ts': use },
    finding: `log/a.ts:1: uses ${/^(?:Date\.now|new Date\(|Math\.random|process\.|globalThis|console\.|setTimeout|performance\.|crypto\.)/.exec(use)?.[0]}`,
  })),
  {
    name: 'any',
    check: anys,
    bad: { 'log/a.ts': `const x = y as any` },
    good: { 'log/a.ts': `const many = 'any' // any, any.any` },
    finding: 'log/a.ts:1: any',
  },
]

describe('each check can fail', () => {
  for (const { name, check, bad, good, finding } of examples) {
    test(name, () => {
      expect(check(new Map(Object.entries(bad)))).toContain(finding)
      expect(check(new Map(Object.entries(good)))).toEqual([])
    })
  }

  test('every check has an example', () => {
    const shown = new Set(examples.map(({ check }) => check))
    expect(Object.values(checks).filter((check) => !shown.has(check))).toEqual([])
  })

  test('a bundle with a node: import', async () => {
    const entry = `import { readFileSync } from 'node:fs'\nconsole.log(readFileSync)`
    expect((await bundleForBrowser(sourceFolder, entry)).external).toEqual(['node:fs'])
  })
})

describe('the parser', () => {
  test('blanks what is not code, and nothing else', () => {
    const text = 'a(/["\'`]/g, `x ${b(`y ${{ c: "}" }.c}`)} z`) / d // e\n/* f\n */ g'
    expect(codeOf(text)).toBe('a(/     /g, `  ${b(`  ${{ c: " " }.c}`)}  `) / d     \n    \n    g')
  })

  test('blanks comments alone', () => {
    expect(withoutComments('a("//", `/* ${b /* c */}`) // d')).toBe('a("//", `/* ${b        }`)     ')
  })

  test('sees every way to name a module', () => {
    const text = [
      `import a, { b } from './1.ts'`,
      `import * as c from './2.ts'`,
      `export { d } from "./3.ts"`,
      `export * as e from './4.ts'`,
      `export type { F } from './5.ts'`,
      `import { type G } from './6.ts'`,
      `import './7.ts'`,
      `type H = import('./8.ts').H`,
      `const from = 'import x from "./9.ts"'`,
    ].join('\n')
    expect(
      importsOf(text).map(({ specifier, line, typeOnly }) => `${specifier}@${line}${typeOnly ? ' type' : ''}`),
    ).toEqual([
      './1.ts@1',
      './2.ts@2',
      './3.ts@3',
      './4.ts@4',
      './5.ts@5 type',
      './6.ts@6 type',
      './7.ts@7',
      './8.ts@8',
    ])
    expect(importsOf(text).map(({ names }) => names.join(' '))).toEqual(['b', '', '', '', '', 'G', '', ''])
    expect(importsOf(`import type { A as B, C } from './a.ts'`)[0]?.names).toEqual(['A', 'C'])
  })
})
