// Which files of the repository are pages of the site, and where are they there?
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export interface Page {
  /** Its place on the site, without an ending: `start/why`. */
  readonly name: string
  /** The file that an author changes, as a path in the repository. Generated pages have none. */
  readonly source?: string
  readonly title: string
  /** The place among the pages of its folder. Those without one are last. */
  readonly order: number
  /** Markdown without front matter. Its links are those of the source. */
  readonly text: string
}

/** Folders and files whose Markdown is on the site. The first rule that fits a file says where it is there. */
const places: readonly (readonly [files: string, pattern: RegExp, place: string])[] = [
  ['docs/**/*.md', /^docs\/(.+)\.md$/, '$1'],
  ['README.md', /^README\.md$/, 'index'],
  ['{CHANGELOG,CONTRIBUTING}.md', /^(CHANGELOG|CONTRIBUTING)\.md$/, 'project/$1'],
  ['SECURITY.md', /^SECURITY\.md$/, 'project/security-policy'],
  ['CONTEXT.md', /^CONTEXT\.md$/, 'inside/words'],
  ['decisions/*.md', /^(decisions\/.+)\.md$/, 'project/$1'],
  ['packages/*/README.md', /^packages\/([^/]+)\/README\.md$/, 'packages/$1'],
  ['packages/*/src/README.md', /^packages\/([^/]+)\/src\/README\.md$/, 'inside/sources-of-$1'],
  ['.changeset/README.md', /^\.changeset\/README\.md$/, 'inside/changesets'],
  ['bench/README.md', /^bench\/README\.md$/, 'inside/benchmarks'],
  ['site/README.md', /^site\/README\.md$/, 'inside/site'],
  ['tests/README.md', /^tests\/README\.md$/, 'inside/tests'],
  ['tests/{agents,real-model}/*.md', /^tests\/([^/]+)\/([^/]+)\.md$/, 'inside/tests-$1-$2'],
  ['tests/endurance/**/README.md', /^tests\/.+\/([^/]+)\/README\.md$/, 'inside/tests-$1'],
  ['examples/README.md', /^examples\/README\.md$/, 'examples/index'],
  ['deploy/README.md', /^deploy\/README\.md$/, 'deploy'],
  ['examples/*/README.md', /^examples\/([^/]+)\/README\.md$/, 'examples/$1'],
]

/** All pages that are written by hand or by other commands. */
export function repositoryPages(): Page[] {
  const files = new Set(places.flatMap(([pattern]) => globSync(pattern, { cwd: root })))
  return [...files].toSorted().map((file) => pageOf(file, readFileSync(join(root, file), 'utf8')))
}

/** The place of a file on the site. Undefined if it is not a page there. */
export function placeOf(file: string): string | undefined {
  for (const [, pattern, place] of places)
    if (pattern.test(file)) {
      const name = file.replace(pattern, place).toLowerCase()
      return name.replace(/(^|[/-])readme$/, (_, before: string) => (before === '-' ? '' : `${before}index`))
    }
  return undefined
}

export function pageOf(file: string, whole: string): Page {
  const name = placeOf(file)
  if (name === undefined) throw new Error(`${file} has no place on the site: see places in site/pages.ts.`)
  const [, matter = '', text = ''] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(whole) ?? []
  const order = /^order: (\d+)$/m.exec(matter)?.[1]
  return { name, source: file, title: titleOf(text, file), order: order === undefined ? 99 : Number(order), text }
}

/** Whether it is a folder or a file of the repository. */
export function sortOf(path: string): 'folder' | 'file' | undefined {
  const full = join(root, path)
  if (!existsSync(full)) return undefined
  return statSync(full).isDirectory() ? 'folder' : 'file'
}

/** The first sentences of a page as plain text, for search engines and lists. */
export function summaryOf({ text }: Pick<Page, 'text'>): string {
  const paragraphs = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
  const first = paragraphs.find((paragraph) => /^[\p{L}`*[]/u.test(paragraph)) ?? ''
  const plain = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
  const [sentences = ''] = /^.{0,180}[.?!:](?= |$)/.exec(plain) ?? [plain.slice(0, 180)]
  return sentences.replace(/:$/, '.')
}

function titleOf(text: string, file: string): string {
  const title = /^# +(.+)$/m.exec(text)?.[1]
  if (title === undefined)
    throw new Error(`${file} has no heading that begins with "# ", so the site has no title for it.`)
  return title.replaceAll(/[`*]/g, '')
}
