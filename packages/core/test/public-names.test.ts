import { expect, test } from 'vitest'
import { publicNames, publicNamesOf } from '../../../tests/support/public-names.ts'
import { core } from '../../../tests/support/workshop.ts'

const names = publicNamesOf(core)

test.for([...names.keys()])('the values of %s are what it exports when it runs', async (entry) => {
  const module = (await import(entry)) as object
  expect(
    names
      .get(entry)
      ?.filter(({ kind }) => kind === 'value')
      .map(({ name }) => name),
  ).toEqual(Object.keys(module).toSorted())
})

const read = (file: string): string => {
  const text = invented[file]
  if (text === undefined) throw new Error(`no ${file}`)
  return text
}
const invented: Readonly<Record<string, string>> = {
  'index.ts': [
    `export { one, type Two, three as third } from './a.ts'`,
    `export type { Four } from './a.ts'`,
    `export * from './deep/b.ts'`,
    `export * as tools from './a.ts'`,
    `export {\n  five, type Six,\n} from './a.ts'`,
    `// export { commented } from './a.ts'`,
    `const text = 'export const inText = 1'`,
  ].join('\n'),
  'deep/b.ts': [
    `export async function seven(): Promise<void> {}`,
    `export function* eight(): Iterable<number> {}`,
    `export const nine = 9`,
    `export interface Ten {}`,
    `export type Eleven = 11`,
    `export abstract class Twelve {}`,
    `export const Both = 1`,
    `export type Both = 1`,
    `const own = 1`,
    `export default own`,
    `export * from '../c.ts'`,
  ].join('\n'),
  'c.ts': `export let fourteen = 14`,
  'foreign.ts': `export * from 'zod'`,
  'odd.ts': `export const { a, b } = c`,
}

test('every way to export a name is read, and nothing else', () => {
  const all = publicNames('index.ts', read)
  const of = (kind: string): string =>
    all
      .filter((each) => each.kind === kind)
      .map(({ name }) => name)
      .join(' ')
  expect(of('value')).toBe('Both Twelve eight five fourteen nine one seven third tools')
  expect(of('type')).toBe('Eleven Four Six Ten Two')
})

test('what cannot be read is refused, not passed over', () => {
  expect(() => publicNames('foreign.ts', read)).toThrow('everything of zod')
  expect(() => publicNames('odd.ts', read)).toThrow('cannot read what this exports: export const { a, b } = c')
})
