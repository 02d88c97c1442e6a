// What does the home page show? The promise, picture, doors and reasons of README.md, and three figures.
import { homeFigures } from './figures.ts'
import type { Page } from './pages.ts'

/** Pictures of the README's first screen, as files of the repository. */
export const heroPictures = { light: 'docs/console/inspector-light.png', dark: 'docs/console/inspector-dark.png' }

/** The parts of the README that the home page has as they are. Its other parts are pages of the site. */
const chapters = ['Why', 'Runs on', 'Good to know', 'Status and benchmarks']

/** A way to start: a row of the README's table. */
interface Door {
  readonly title: string
  readonly details: string
  readonly link: string
}

export function homePage(readme: Page): Page {
  return {
    ...readme,
    title: 'Minutebook',
    text: [figureList(), ...chapters.map((title) => chapter(readme, title))].join('\n\n'),
  }
}

/** The front matter of VitePress' home layout. */
export function homeMatter(readme: Page): Readonly<Record<string, unknown>> {
  const promise = /^\*\*(.+)\*\*$/m.exec(readme.text)?.[1]
  if (promise === undefined)
    throw new Error('README.md has no line in bold below its title, so the home page has no promise.')
  const image = (theme: 'light' | 'dark'): string => heroPictures[theme].replace('docs/', '/')
  const [, alt = ''] = /<img alt="([^"]+)"/.exec(readme.text) ?? []
  const [, caption = ''] = /<\/picture>\n\n\*(.+)\*\n/.exec(readme.text) ?? []
  const doors = doorsOf(readme.text)
  return {
    layout: 'home',
    title: promise.replace(/\.$/, ''),
    titleTemplate: ':title · Minutebook',
    description: promise,
    hero: {
      name: 'Minutebook',
      tagline: promise,
      actions: [
        { theme: 'brand', text: 'Get started', link: doors[0]?.link },
        { theme: 'alt', text: 'Why Minutebook', link: '/start/why' },
        { theme: 'alt', text: 'Console tour', link: '/console' },
      ],
    },
    picture: { light: image('light'), dark: image('dark'), alt, caption },
    features: doors.map((door) => ({ ...door, linkText: 'Quickstart' })),
  }
}

/** The rows of the table below "Where to start": what a reader has, what to start with, and the page. */
export function doorsOf(readme: string): Door[] {
  const rows = readme.matchAll(
    /^\| (?<have>[^|]+) \| (?<start>[^|]*\[(?<name>[^\]]+)\][^|]*) \| \[quickstart\]\(docs\/(?<page>[^)]+)\.md\)[^|]*\|$/gm,
  )
  const doors = [...rows].map(({ groups = {} }) => {
    const { have = '', start = '', name = '', page = '' } = groups
    const how = /: (.+)$/.exec(start)?.[1]?.replaceAll('`', '')
    const title = name.replace(/^multi-agent /, '')
    return {
      title: `${title[0]?.toUpperCase()}${title.slice(1)}`,
      details: `You have ${have}.${how === undefined ? '' : ` ${how[0]?.toUpperCase()}${how.slice(1)}.`}`,
      link: `/${page}`,
    }
  })
  if (doors.length !== 4)
    throw new Error(`README.md has ${doors.length} rows with a quickstart, and the home page needs 4.`)
  return doors
}

function figureList(): string {
  const figures = homeFigures()
  if (figures.length < 3)
    throw new Error(`bench/results has data for ${figures.length} figures, and the home page needs 3.`)
  const items = figures
    .slice(0, 3)
    .map(({ value, says, page }) => `- **${value}** ${says} [How it is measured](docs/${page}.md)`)
  return `<div class="figures">\n\n${items.join('\n')}\n\n</div>`
}

function chapter({ text }: Page, title: string): string {
  const found = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`))
  if (found === undefined) throw new Error(`README.md has no chapter "${title}", which the home page shows.`)
  return found.trim()
}
