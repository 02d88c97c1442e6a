import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { acts } from './acts.ts'
import { playAct, reportTouched } from './touched.ts'

const checkout = mkdtempSync(join(tmpdir(), 'minutebook-touched-'))
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

const made: Readonly<Record<string, string>> = {
  'packages/one/src/story.ts': [
    `import { early, late } from './parts/part.ts'`,
    `early()`,
    `export const never = (): void => late()`,
    `export const both = async (): Promise<void> => (await import('../../two/src/two.ts')).inner()`,
    `export function outer(): number { const unused = (): void => {}; return inner() }`,
    `function inner(): number { return [1, 2].map((each) => each)[0] ?? 0 }`,
  ].join('\n'),
  'packages/one/src/parts/part.ts': `export function early(): void {}\nexport function late(): void {}`,
  'packages/two/src/two.ts': `export class Two { constructor() {} }\nexport const inner = (): Two => new Two()`,
  'bench/house/acts.ts': [
    `const story = () => import('../../packages/one/src/story.ts')`,
    `const lacking = () => import('../../packages/one/src/parts/part.ts')`,
    `const fine = () => undefined`,
    `export const acts = [`,
    `  { name: 'one file', prepare: async () => { const { outer, never } = await story(); never(); return () => (outer(), fine) } },`,
    `  { name: 'another package', prepare: async () => { const { both } = await story(); return async () => (await both(), fine) } },`,
    `  { name: 'a name that is not there', prepare: async () => { const { outer } = await lacking(); return () => (outer(), fine) } },`,
    `  { name: 'another act', prepare: async () => () => () => { throw new Error('not one that compacts') } },`,
    `  { name: 'no end', prepare: async () => () => new Promise(() => undefined) },`,
    `]`,
  ].join('\n'),
  'tests/support/from-sources.ts': '',
}
for (const [file, text] of Object.entries(made)) {
  mkdirSync(dirname(join(checkout, file)), { recursive: true })
  writeFileSync(join(checkout, file), text)
}

test.for([
  // `outer`, `inner` and what `map` gets, but not `unused`. `early` and `late` ran before the act.
  ['one file', { files: { 'one/src/story.ts': 3 } }],
  // That the second file is loaded does not count; `inner` and the constructor do.
  ['another package', { files: { 'one/src/story.ts': 1, 'two/src/two.ts': 2 } }],
  ['a name that is not there', { failed: 'outer is not a function' }],
  ['another act', { failed: 'not one that compacts' }],
  ['no end', { failed: expect.stringContaining('its process ended with 13') }],
  ['no act', { failed: 'There is no such act.' }],
] as const)('%s', async ([name, played]) => {
  expect(await playAct(checkout, name)).toEqual(played)
})

test('before and after stand side by side, by package and by file, and what could not be played has dashes', () => {
  const report = reportTouched(
    [
      {
        name: 'send',
        before: { files: { 'core/src/a.ts': 2, 'core/src/b.ts': 3 } },
        now: { files: { 'core/src/a.ts': 4, 'server/src/c.ts': 1 } },
      },
      { name: 'relay', before: { failed: 'no relay' }, now: { files: { 'core/src/a.ts': 7 } } },
    ],
    true,
  ).replaceAll(/ +/g, ' ')
  expect(report).toContain('| send | core | 2 | 1 | 5 | 4 |')
  expect(report).toContain('| send | server | 0 | 1 | 0 | 1 |')
  expect(report).toContain('| relay | core | – | 1 | – | 7 |')
  expect(report).toContain('- before: relay: no relay')
  expect(report).toContain('| core/src/b.ts | 3 | – |')
})

test.for(acts)('$name: is what its name says', async ({ prepare }) => {
  const act = await prepare()
  const check = await act()
  check()
})
