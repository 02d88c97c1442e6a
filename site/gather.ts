// What does VitePress get? Every page with its place on the site, its links and its front matter, and the files they show.
import { heroPictures, homeMatter, homePage } from './home.ts'
import { documentFile, httpPages } from './http-api.ts'
import { linkedText } from './links.ts'
import { repositoryPages, summaryOf, type Page } from './pages.ts'
import { shownFiles, sourcePages } from './source-pages.ts'

export interface SitePage extends Page {
  readonly matter: Readonly<Record<string, unknown>>
}

export interface Site {
  readonly pages: readonly SitePage[]
  /** Pictures and files to load, as paths in the repository. */
  readonly files: readonly string[]
}

/** The pages of the site. The reference of TypeScript needs built packages, so it comes as an argument. */
export function gatherSite(typescript: readonly Page[], repository?: string): Site {
  const written = repositoryPages()
  const sources = sourcePages(written)
  const replaced = new Set(sources.map(({ name }) => name))
  const all = [...written.filter(({ name }) => !replaced.has(name)), ...sources]
  const targets = { shown: shownFiles(sources), ...(repository === undefined ? {} : { repository }) }
  const files = new Set([documentFile, ...Object.values(heroPictures)])
  const linked = all.map((page) => {
    const shown = page.name === 'index' ? homePage(page) : page
    // Generated pages write their links as seen from the root of the repository.
    const { text, files: needed } = linkedText(shown.text, page.source ?? 'README.md', page.name, targets)
    for (const file of needed) files.add(file)
    return { ...shown, text, matter: matterOf(page, repository) }
  })
  const generated = [...httpPages(), ...typescript].map((page) => ({ ...page, matter: matterOf(page, repository) }))
  return { pages: [...linked, ...generated], files: [...files] }
}

/** A page as the file that VitePress reads. */
export function markdownOf({ matter, text }: SitePage): string {
  return `---\n${JSON.stringify(matter)}\n---\n\n${text.trimStart()}`
}

function matterOf(page: Page, repository: string | undefined): Record<string, unknown> {
  if (page.name === 'index') return { ...homeMatter(page), editLink: false }
  const isEditable = repository !== undefined && page.source !== undefined
  return {
    title: page.title,
    description: summaryOf(page),
    ...(isEditable ? { edit: `${repository}/edit/HEAD/${page.source}` } : { editLink: false }),
    ...(page.name === 'index' || page.name.startsWith('reference/typescript/') ? { outline: [2, 3] } : {}),
  }
}
