/** Is every page on the site, in its sidebar, and does every link on it lead to another page, a picture or a file? */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { gatherSite, markdownOf } from '../gather.ts'
import { linkedText, outsideCode } from '../links.ts'
import { pageOf, placeOf, root, sortOf, summaryOf, type Page } from '../pages.ts'
import { doorsOf } from '../home.ts'
import { pagesIn, sections, sidebarOf } from '../sidebar.ts'

/** In place of what TypeDoc makes of the built packages. */
const typescript: Page[] = ['index', 'minutebook'].map((name) => ({
  name: `reference/typescript/${name}`,
  title: name,
  order: 0,
  text: '# API',
}))
const site = gatherSite(typescript)
const names = new Set(site.pages.map(({ name }) => name))

test('every Markdown file of docs is a page of the site', () => {
  const files = globSync('docs/**/*.md', { cwd: root })
  expect(files.length).toBeGreaterThan(60)
  expect(files.filter((file) => !names.has(placeOf(file) ?? ''))).toEqual([])
})

test('every page is in the sidebar once, except for the home page and single decisions', () => {
  expect(unlisted(site.pages)).toEqual([])
  const listed = sidebarOf(site.pages).flatMap(({ entries }) => pagesIn(entries).map(({ name }) => name))
  expect(listed).toEqual([...new Set(listed)])
})

test('a page that no line of the sidebar has is found; one in a listed folder is there by itself', () => {
  const more = [pageOf('docs/new.md', '# New\n'), pageOf('docs/recipes/new.md', '---\norder: 3\n---\n# Another\n')]
  expect(unlisted([...site.pages, ...more])).toEqual(['new'])
  const recipes = sidebarOf([...site.pages, ...more]).find(({ text }) => text === 'Recipes')!
  expect(pagesIn(recipes.entries)[2]?.title).toBe('Another')
})

test('a sidebar that names a page that does not exist is refused', () => {
  expect(() => sidebarOf(site.pages, [...sections, { title: 'More', pages: ['start/nothing'] }])).toThrow(
    'names "start/nothing"',
  )
})

test('every link leads to a page, and every picture to a file that is copied', () => {
  const dead = site.pages.flatMap(({ name, text }) =>
    linksOf(text)
      .filter((link) => isDead(name, link))
      .map((link) => `${name}: ${link}`),
  )
  expect(dead).toEqual([])
  expect(site.files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('every README that a page links to is a page', () => {
  for (const { source } of site.pages)
    if (source !== undefined)
      expect(readmesWithout(source, readFileSync(join(root, source), 'utf8')), source).toEqual([])
})

test('a README that is no page is found, also by the name of its folder', () => {
  const text = '[a](../deploy/README.md#deploy) [b](../deploy) [c](../tests/README.md) [d](../deploy/Dockerfile)'
  const place = (file: string): string | undefined => (file.startsWith('deploy/') ? undefined : placeOf(file))
  expect(readmesWithout('docs/x.md', text, place)).toEqual(['../deploy/README.md#deploy', '../deploy'])
})

test('a link is found that leads to no page', () => {
  expect(linksOf('[a](./b.md#c) `[d](e)` <img src="/f.png">').map((link) => isDead('start/why', link))).toEqual([
    true,
    true,
  ])
  expect(isDead('start/why', './gateway.md#undo')).toBe(false)
})

test('links are rewritten: to pages, to folders, to examples, to pictures; code stays', () => {
  const text =
    '[a](../gateway.md#keys) [b](../../packages/cli) [c](../../examples/shop/shop.ts) ![d](../drawings/prompt-dark.svg) [e](../../packages/core/src/log/log.ts) `[f](g.md)`\n\n```sh\n[h](i.md)\n```'
  const targets = { shown: new Map([['examples/shop/shop.ts', 'examples/shop#shopts']]) }
  expect(linkedText(text, 'docs/start/x.md', 'start/x', targets)).toEqual({
    text: '[a](../gateway.md#keys) [b](../packages/cli.md) [c](../examples/shop.md#shopts) ![d](/drawings/prompt-dark.svg) e `[f](g.md)`\n\n```sh\n[h](i.md)\n```',
    files: ['docs/drawings/prompt-dark.svg'],
  })
  const { text: withRepository } = linkedText(text, 'docs/start/x.md', 'start/x', {
    ...targets,
    repository: 'https://example.com/r',
  })
  expect(withRepository).toContain('[e](https://example.com/r/blob/HEAD/packages/core/src/log/log.ts)')
  expect(() => linkedText('[a](nowhere.ts)', 'docs/x.md', 'x', targets)).toThrow('docs/x.md: the link "nowhere.ts"')
})

test('only a repository that was named has links for editing', () => {
  const edits = (pages: typeof site.pages): number => pages.filter(({ matter }) => 'edit' in matter).length
  expect(edits(site.pages)).toBe(0)
  const { pages } = gatherSite(typescript, 'https://example.com/r')
  expect(pages.find(({ name }) => name === 'start/why')?.matter['edit']).toBe(
    'https://example.com/r/edit/HEAD/docs/start/why.md',
  )
  expect(edits(pages)).toBeGreaterThan(100)
})

test('the home page has the promise, four doors and three figures', () => {
  const home = markdownOf(site.pages.find(({ name }) => name === 'index')!)
  expect(home).toContain('"tagline":"Keeps long LLM conversations')
  expect(home.match(/"linkText":"Quickstart"/g)).toHaveLength(4)
  expect(/<div class="figures">\n\n((?:- .+\n){3})\n<\/div>/.test(home)).toBe(true)
  expect(() => doorsOf('# Minutebook\n')).toThrow('0 rows with a quickstart')
})

test('a summary is the first sentence of the first paragraph, as plain text', () => {
  expect(summaryOf({ text: '# A\n\n<!-- b -->\n\n```sh\nc\n```\n\nThe **first** [one](x.md). The second.' })).toBe(
    'The first one. The second.',
  )
  expect(summaryOf({ text: `# A\n\n${'Long. '.repeat(60)}` }).length).toBeLessThanOrEqual(181)
})

function unlisted(pages: readonly Page[]): string[] {
  const listed = new Set(sidebarOf(pages).flatMap(({ entries }) => pagesIn(entries).map(({ name }) => name)))
  return pages
    .map(({ name }) => name)
    .filter((name) => !listed.has(name) && !/^(index$|project\/decisions\/)/.test(name))
}

function linksOf(text: string): string[] {
  const links: string[] = []
  outsideCode(text, (prose) => {
    for (const [, link, source] of prose.matchAll(/\]\(([^\s()]+)[^)]*\)|src="([^"]+)"/g))
      links.push(link ?? source ?? '')
    return prose
  })
  return links.filter((link) => !/^[a-z]+:|^#/.test(link))
}

/** The links of a file to a README that has no place on the site. Without a repository they would be bare words. */
function readmesWithout(source: string, text: string, place = placeOf): string[] {
  return linksOf(text).filter((link) => {
    const file = join(dirname(source), link.split('#')[0] ?? '')
    const readme = sortOf(file) === 'folder' ? join(file, 'README.md') : file
    return readme.endsWith('README.md') && sortOf(readme) === 'file' && place(readme) === undefined
  })
}

function isDead(page: string, link: string): boolean {
  const [path = ''] = link.split('#')
  if (path.startsWith('/')) return !site.files.includes(`docs${path}`)
  return !path.endsWith('.md') || !names.has(join(dirname(page), path).slice(0, -'.md'.length))
}
