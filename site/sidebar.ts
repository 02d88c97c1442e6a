// Which pages does the site have, and in which order? A folder with /* has all of its pages, by their `order`.
// A page of docs that is not here makes a test fail.
import type { Page } from './pages.ts'

/** Pages below a heading, and groups of pages that are folded. */
export interface Section {
  readonly title: string
  readonly pages: readonly (string | Shortened | Section)[]
}

/** A page with a shorter name than its title. */
export interface Shortened {
  readonly page: string
  readonly as: string
}

export const sections: readonly Section[] = [
  { title: 'Start', pages: ['start/*', 'first-hour', 'guide', 'experiments'] },
  { title: 'Integrations', pages: ['integrations/*'] },
  { title: 'Concepts', pages: ['concepts/*', 'cache', 'waiting', 'architecture'] },
  {
    title: 'Recipes',
    pages: [
      'recipes/*',
      'conformance',
      { title: 'Worked examples', pages: ['seeds/*'] },
      { title: 'Examples', pages: ['examples/*'] },
    ],
  },
  { title: 'Console', pages: ['console'] },
  {
    title: 'Reference',
    pages: [
      'reference/*',
      { title: 'HTTP API', pages: ['api', 'reference/http/*'] },
      { title: 'TypeScript', pages: ['reference/typescript/*'] },
      { title: 'Packages', pages: ['packages/*'] },
    ],
  },
  {
    title: 'Operate',
    pages: [
      'gateway',
      { page: 'operation', as: 'The server' },
      'operate/*',
      'security',
      { page: 'deploy', as: 'Files for Docker and proxies' },
    ],
  },
  {
    title: 'Project',
    pages: [
      'project/benchmarks',
      { page: 'project/reliability', as: 'Reliability' },
      { page: 'comparison', as: 'Comparison' },
      'scale',
      { page: 'claims', as: 'What proves each claim' },
      { page: 'project/decisions/index', as: 'Decisions' },
      'project/*',
      {
        title: 'Inside',
        pages: [
          'inside/words',
          { page: 'inside/sources-of-server', as: 'Sources of the server' },
          { page: 'inside/sources-of-postgres', as: 'Sources of the Postgres store' },
          { page: 'inside/benchmarks', as: 'How benchmarks measure' },
          'inside/tests',
          { page: 'inside/tests-real-model', as: 'Tests with a real model' },
          'inside/*',
        ],
      },
    ],
  },
]

/** An entry of the sidebar: a page, or a group with more entries. */
export type Entry = { readonly text: string; readonly page: Page } | Group

export interface Group {
  readonly text: string
  readonly entries: readonly Entry[]
}

/** The sidebar with its pages in place. Throws if it names a page that does not exist. */
export function sidebarOf(pages: readonly Page[], tree: readonly Section[] = sections): Group[] {
  const named = new Set(namesIn(tree))
  const groupOf = ({ title, pages: names }: Section): Group => ({
    text: title,
    entries: names.flatMap((name) => entriesOf(name)),
  })
  const entriesOf = (name: string | Shortened | Section): Entry[] => {
    if (typeof name === 'object' && 'title' in name) return [groupOf(name)]
    const wanted = typeof name === 'string' ? name : name.page
    const found = wanted.endsWith('/*')
      ? folder(pages, wanted.slice(0, -2)).filter((page) => !named.has(page.name))
      : pages.filter((page) => page.name === wanted)
    if (found.length === 0) throw new Error(`site/sidebar.ts names "${wanted}", and there is no such page.`)
    return found.map((page) => ({ text: typeof name === 'string' ? page.title : name.as, page }))
  }
  return tree.map(groupOf)
}

/** All pages of a sidebar, in its order. */
export function pagesIn(entries: readonly Entry[]): Page[] {
  return entries.flatMap((entry) => ('page' in entry ? [entry.page] : pagesIn(entry.entries)))
}

function namesIn(tree: readonly Section[]): string[] {
  return tree.flatMap(({ pages }) =>
    pages.flatMap((each) => (typeof each === 'string' ? [each] : 'page' in each ? [each.page] : namesIn([each]))),
  )
}

/** The pages of a folder: its index first, then by order and title. */
function folder(pages: readonly Page[], name: string): Page[] {
  const rank = (page: Page): number => (page.name === `${name}/index` ? -1 : page.order)
  return pages
    .filter((page) => page.name.startsWith(`${name}/`) && !page.name.slice(name.length + 1).includes('/'))
    .toSorted((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title, 'en'))
}
