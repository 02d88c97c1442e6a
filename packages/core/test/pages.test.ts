/** Do the files, scripts and tests that our pages name exist? */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, markdownFiles, root } from '../../../tests/support/workshop.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = filesBelow(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

describe('what a page names', () => {
  test.for(markdownFiles())('%s: every test that it runs exists', (page) =>
    expect(unknownTests(read(page))).toEqual([]),
  )

  test('a test that does not exist is found, also next to one that does', () => {
    const text =
      '`PROVE_RUNS=9 npx vitest run packages/core/test/pages.test.ts tests/no.test.ts -t pages`, `npx vitest run examples/hello/`'
    expect(unknownTests(text)).toEqual(['tests/no.test.ts'])
  })

  test.for(pages)('%s: files and scripts of this repository exist', (page) =>
    expect(unknownNames(read(page))).toEqual([]),
  )

  test('a file and a script that do not exist are found', () => {
    const text =
      '`packages/core/test/pages.test.ts`, `packages/core/no.ts`, `tests/…`\n```sh\nnpm run bench:nothing -- --quick\nnpm run build\n```'
    expect(unknownNames(text)).toEqual(['packages/core/no.ts', 'npm run bench:nothing'])
  })
})

/** Files and folders after `vitest run` that are not there. */
function unknownTests(text: string): string[] {
  return Array.from(text.matchAll(/\bvitest run((?: +[\w.-]+\/[\w./-]*)+)/g), ([, paths = '']) => paths)
    .flatMap((paths) => paths.trim().split(/ +/))
    .filter((path) => !existsSync(join(root, path)))
}

/** Paths of our sources and npm scripts that are not there. A path with a placeholder is left out. */
function unknownNames(text: string): string[] {
  const files = [...text.matchAll(/`((?:packages|tests|bench|examples|deploy|docs)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  )
  const runs = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  return [
    ...files.filter((file) => !existsSync(join(root, file))),
    ...runs.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`),
  ]
}
