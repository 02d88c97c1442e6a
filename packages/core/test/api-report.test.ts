import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiReports, publicApiOf, readPublicApi, undocumented, type PublicApi } from './support/api-report.ts'
import { publicNamesOf } from '../../../tests/support/public-names.ts'
import { core, filesBelow, mustRun, root } from '../../../tests/support/workshop.ts'

const folder = join(core, 'api')
const limit = 80
/** For programs that need only a part of `minutebook`, whose names it has, too. */
const part = 'minutebook/compile'

describe('the public API', () => {
  let api: PublicApi
  beforeAll(async () => {
    // The reports are made of what is built. What is built is never older than the sources: this builds what changed.
    await mustRun(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'tsconfig.edge.json'], core)
    api = publicApiOf(core)
  })

  // If you change it on purpose, write the reports again: `npm run api`. A review then shows what changed.
  test('is what the reports in packages/core/api say', () => {
    const actual = apiReports(api)
    if (process.env['GOLDEN'] === 'write') {
      mkdirSync(folder, { recursive: true })
      for (const [file, text] of actual) writeFileSync(join(folder, file), text)
    }
    for (const [file, text] of actual) expect(text, file).toBe(readFileSync(join(folder, file), 'utf8'))
    expect(filesBelow(folder)).toEqual([...actual.keys()].toSorted())
  })

  test('has the names of the sources', () => {
    const names = [...publicNamesOf(core)].map(([entry, found]) => [entry, found.map(({ name }) => name)] as const)
    expect([...api.entrances].map(([entry, entrance]) => [entry, [...entrance.keys()]])).toEqual(names)
  })

  test(`has at most ${limit} names in minutebook`, () => {
    expect(api.entrances.get('minutebook')?.size).toBeLessThanOrEqual(limit)
  })

  test('has each name in one entry point, and some of minutebook in minutebook/compile, too', () => {
    const { minutebook: main, [part]: few, ...others } = Object.fromEntries(api.entrances)
    const own = [...(few ?? [])].filter(([name, { file }]) => main?.get(name)?.file !== file)
    const all = [...(main ?? []), ...own, ...Object.values(others).flatMap((entrance) => [...entrance])]
    const names = all.map(([name]) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has a doc comment for every name', () => expect(undocumented(api)).toEqual([]))
})

const invented: Readonly<Record<string, string>> = {
  'index.d.ts': [
    `export { one, type Two, one as first } from './deep/a.ts';`,
    `export * from './b.ts';`,
    `export { own } from '#own';`,
  ].join('\n'),
  'deep/a.d.ts': [
    `import type { Hidden } from '../c.ts';`,
    `import { type Theirs } from 'theirs';`,
    `import type Main from "main";`,
    `/** Says; what { it } does. */`,
    `export declare function one(a: Hidden, b: Theirs): void;`,
    `export declare function one(a: string): Main;`,
    `/** Several ways. */`,
    `export type Two = `,
    `/** The first way. */`,
    `{`,
    `    /** A name. */`,
    `    readonly name: '/* no comment */';`,
    `}`,
    `/** Another way. */`,
    ` | {`,
    `    readonly other: \`\${string}@\${number}\`;`,
    `};`,
    `/** This is not used. */`,
    `export interface Unused {`,
    `}`,
  ].join('\n'),
  'b.d.ts': [
    `declare const local: number;`,
    `export declare class Both<T> extends Error {`,
    `    readonly value: T;`,
    `}`,
    `export { local };`,
  ].join('\n'),
  'c.d.ts': `interface Deeper {\n    readonly Two: 2;\n}\nexport type Hidden = Deeper | null;\nexport {};`,
  'own.d.ts': `/** */\nexport declare function own<T extends () => void>(a: T, { b, c }: { b: () => 1; c: 2; }): ${'null | '.repeat(9)}(() => T);`,
}
const apiOf = (files: Readonly<Record<string, string>>): PublicApi =>
  readPublicApi(
    new Map([['a/index', 'index.d.ts']]),
    (file) => {
      const text = files[file]
      if (text === undefined) throw new Error(`no ${file}`)
      return text
    },
    new Map([['#own', 'own.d.ts']]),
  )

describe('a report', () => {
  test('has every public name with its signature, values first, and no comments', () => {
    expect(apiReports(apiOf(invented)).get('a-index.md')).toBe(
      [
        '# a/index\n',
        '```ts',
        'class Both<T> extends Error {\n    readonly value: T;\n}\n',
        '// as first\nfunction one(a: Hidden, b: Theirs): void;\nfunction one(a: string): Main;\n',
        'const local: number;\n',
        'function one(a: Hidden, b: Theirs): void;\nfunction one(a: string): Main;\n',
        'function own<T extends () => void>(\n    a: T,\n    { b, c }: { b: () => 1; c: 2; },',
        `): ${'null | '.repeat(9)}(() => T);\n`,
        "type Two = {\n    readonly name: '/* no comment */';\n} | {\n    readonly other: `${string}@${number}`;\n};",
        '```\n',
      ].join('\n'),
    )
  })

  test('has the types behind them once, through each other', () => {
    expect(apiReports(apiOf(invented)).get('hidden-types.md')).toContain(
      '// c.d.ts\ninterface Deeper {\n    readonly Two: 2;\n}\n\n// c.d.ts\ntype Hidden = Deeper | null;\n```\n',
    )
  })

  test('changes with a member of a hidden type, and not with a comment', () => {
    const changed = (file: string, from: string, to: string): boolean => {
      const text = invented[file] ?? ''
      expect(text).toContain(from)
      const reports = [invented, { ...invented, [file]: text.replace(from, to) }].map((files) =>
        apiReports(apiOf(files)),
      )
      return JSON.stringify([...(reports[0] ?? [])]) !== JSON.stringify([...(reports[1] ?? [])])
    }
    expect(changed('c.d.ts', 'Two: 2', 'Two?: 2')).toBe(true)
    expect(changed('deep/a.d.ts', 'b: Theirs', 'b?: Theirs')).toBe(true)
    expect(changed('deep/a.d.ts', '/** Another way. */\n', '')).toBe(false)
    expect(changed('deep/a.d.ts', 'This is not', 'This is')).toBe(false)
  })

  test('says which names have no doc comment', () => {
    expect(undocumented(apiOf(invented))).toEqual([
      'a/index: Both (b.d.ts)',
      'a/index: local (b.d.ts)',
      'a/index: own (own.d.ts)',
    ])
  })

  test.for([
    ['export default own;', 'index.d.ts: cannot read this statement: export default own;'],
    [`export * from 'zod';`, 'cannot read this statement: export * from'],
    [`export { z } from 'zod';`, 'passes on names of zod, whose declarations are not ours'],
    [`export { two } from './b.ts';`, 'b.d.ts does not declare two'],
    ['export interface Open {', 'cannot read the end of this: export interface Open {'],
  ] as const)('refuses what it cannot read: %s', ([text, message]) => {
    expect(() => apiOf({ ...invented, 'index.d.ts': text })).toThrow(message)
  })
})
