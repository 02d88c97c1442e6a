import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../support/workshop.ts'

/** What a person wrote for a page of the reference: `docs/reference/texts/NAME.yaml`. */
export function textsOf<T>(name: string): T {
  return parse(readFileSync(join(root, 'docs/reference/texts', `${name}.yaml`), 'utf8')) as T
}

/** Throws if a thing of the sources has no text, or a text belongs to nothing there. */
export function compareNames(page: string, inSources: Iterable<string>, inTexts: Iterable<string>): void {
  const [sources, texts] = [new Set(inSources), new Set(inTexts)]
  const missing = [...sources].filter((name) => !texts.has(name))
  const left = [...texts].filter((name) => !sources.has(name))
  if (missing.length + left.length === 0) return
  throw new Error(
    [
      `docs/reference/texts/${page}.yaml differs from the sources.`,
      ...missing.map((name) => `It says nothing of ${name}: add a line.`),
      ...left.map((name) => `There is no ${name} any more: remove its line.`),
    ].join('\n'),
  )
}
