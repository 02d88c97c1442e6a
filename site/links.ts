// Where do the links of a page lead on the site? To another page, a picture, a file to load, or the repository.
import { dirname, join, relative } from 'node:path/posix'
import { placeOf, sortOf } from './pages.ts'

/** What links can lead to beside pages. */
export interface Targets {
  /** Files of the repository that are shown on a page: its place and the heading. */
  readonly shown: ReadonlyMap<string, string>
  /** The address of the repository, if there is one. */
  readonly repository?: string
}

/** A page as it is on the site, and the pictures and files that it needs, as paths in the repository. */
export interface LinkedText {
  readonly text: string
  readonly files: readonly string[]
}

/** Folders that are shown by a page of another name. */
const folders: Readonly<Record<string, string>> = {
  'docs/start': 'start/why',
  'docs/reference': 'reference/index',
  'docs/integrations': 'integrations/index',
  'docs/console': 'console',
  'docs/concepts': 'concepts/prompt',
  'docs/recipes': 'recipes/why-did-the-model-forget',
  examples: 'examples/index',
  'packages/core': 'reference/typescript/minutebook',
  'packages/core/api': 'reference/typescript/index',
  'packages/core/api/minutebook.md': 'reference/typescript/minutebook',
}

/** Rewrites the links and pictures of a Markdown text that stands at `source` in the repository and at `name` on the site. */
export function linkedText(text: string, source: string, name: string, targets: Targets): LinkedText {
  const files = new Set<string>()
  const addressOf = (link: string): string | undefined => {
    if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link
    const [path = '', heading] = link.split('#')
    const file = join(dirname(source), path).replace(/\/$/, '')
    const anchor = heading === undefined ? '' : `#${heading}`
    const place = pageFor(file, targets)
    if (place !== undefined) return `${relativeTo(name, place)}${place.includes('#') ? '' : anchor}`
    if (/^docs\/.+\.(png|svg|json|gif)$/.test(file) && sortOf(file) === 'file') {
      files.add(file)
      return file.replace(/^docs/, '')
    }
    if (sortOf(file) === undefined) throw new Error(`${source}: the link "${link}" leads nowhere.`)
    return targets.repository === undefined ? undefined : `${targets.repository}/blob/HEAD/${file}${anchor}`
  }
  const picture = (whole: string): string => {
    const [, dark = ''] = /srcset="([^"]+)"/.exec(whole) ?? []
    const [, light = ''] = /src="([^"]+)"/.exec(whole) ?? []
    const [, alt = ''] = /alt="([^"]*)"/.exec(whole) ?? []
    const image = (link: string, theme: string): string =>
      `<img class="only-${theme}" loading="lazy" alt="${alt}" src="${addressOf(link)}">`
    return `${image(light, 'light')}${image(dark, 'dark')}`
  }
  const link = (_: string, mark: string, words: string, target: string, title = ''): string => {
    const address = addressOf(target)
    return address === undefined ? words : `${mark}[${words}](${address}${title})`
  }
  const rewritten = outsideCode(text, (prose) =>
    prose
      .replaceAll(/<picture>[\s\S]*?<\/picture>/g, picture)
      .replaceAll(/(!?)\[([^[\]]*)\]\(([^\s()]+)( "[^"]*")?\)/g, link),
  )
  return { text: rewritten, files: [...files] }
}

/** Changes a text except for its code. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  const code: string[] = []
  const kept = (piece: string): string => `\uE000${code.push(piece) - 1}\uE001`
  const masked = text
    .replaceAll(/^( *)(```+|~~~)[\s\S]*?^\1\2$/gm, kept)
    .replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, kept)
  return change(masked).replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => code[Number(index)] ?? '')
}

/** The page that shows a file or a folder, with the heading if it is one among others. */
function pageFor(file: string, { shown }: Targets): string | undefined {
  if (/^packages\/[^/]+$/.test(file) && file !== 'packages/core') return placeOf(`${file}/README.md`)
  return folders[file] ?? shown.get(file) ?? (sortOf(file) === 'file' ? placeOf(file) : undefined)
}

/** The link from one page to another, as VitePress reads it. */
function relativeTo(from: string, place: string): string {
  const [to = '', heading] = place.split('#')
  const path = relative(dirname(from), `${to}.md`)
  return `${path.startsWith('.') ? path : `./${path}`}${heading === undefined ? '' : `#${heading}`}`
}
