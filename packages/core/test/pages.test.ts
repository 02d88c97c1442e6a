/** Do the pages for strangers have what such a page must have, and does what they name exist? */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, markdownFiles, root } from '../../../tests/support/workshop.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = filesBelow(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
const inFolder = (name: string): string[] =>
  pages.filter((page) => page.startsWith(`docs/${name}/`) && !page.endsWith('/README.md'))
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

describe('a page about another product', () => {
  test.for(inFolder('integrations'))('%s says how to check and undo it, its limits, and what was tried', (page) => {
    expect(missingSections(read(page), ['Check', 'Known limits', 'Undo', 'What was tried'])).toEqual([])
  })

  test('a section that is missing is found', () => {
    expect(missingSections('## Check\n\ntext\n\n## Undo\n\ntext\n', ['Check', 'Undo', 'What was tried'])).toEqual([
      'What was tried',
    ])
    expect(missingSections('## Check\n\n## Undo\n\ntext\n', ['Check', 'Undo'])).toEqual(['Check'])
  })
})

describe('a page to start from', () => {
  test.for(inFolder('start'))('%s says what to do next, and how to undo', (page) => {
    const wanted = page.endsWith('/why.md') ? ['Choose your start'] : ['Undo', 'Next']
    expect(missingSections(read(page), wanted)).toEqual([])
  })
})

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

/** Those sections that are not there, or are empty. */
function missingSections(text: string, wanted: readonly string[]): string[] {
  const sections = text.split(/^## /m)
  return wanted.filter(
    (title) => !sections.some((section) => section.startsWith(`${title}\n`) && section.trim() !== title),
  )
}

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
