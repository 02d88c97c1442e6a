/** Do the links between our pages lead somewhere? All Markdown files of the repository, their files and their headings. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markdownFiles, root } from '../../../tests/support/workshop.ts'

const pages = markdownFiles()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('links', () => {
  test.for(pages)('%s has none that is dead', (page) => expect(deadLinks(page, read(page))).toEqual([]))

  test('a dead file, a dead heading and a dead picture are found', () => {
    const text =
      '# A page\n[a](nowhere.md) [b](#a-page) [c](#another) [d](README.md#why) [e](README.md#what) ![f](no.png) `[g](h)`'
    expect(deadLinks('EXAMPLE.md', text)).toEqual(['nowhere.md', '#another', 'README.md#what', 'no.png'])
  })
})

describe('decisions', () => {
  test('the index has each page once, under its title', () => {
    const rows = [...read('decisions/README.md').matchAll(/^- \[([^\]]+)\]\(([\w-]+\.md)\)$/gm)]
    const files = pages.flatMap((page) => /^decisions\/([a-z].+)$/.exec(page)?.[1] ?? [])
    const titles = files.map((file) => `${/^# (.+)$/m.exec(read(`decisions/${file}`))?.[1]}: ${file}`)
    expect(rows.map(([, title, file]) => `${title}: ${file}`).toSorted()).toEqual(titles.toSorted())
  })
})

/** The links of a page that lead to no file or heading here. Links to the web are left out. */
function deadLinks(page: string, text: string): string[] {
  const prose = text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^\s()]+)(?: "[^"]*")?\)|(?:src|srcset|href)="([^"\s]+)"/g)]
  return links.map(([, link, attribute]) => link ?? attribute ?? '').filter((link) => isDead(page, text, link))
}

function isDead(page: string, text: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false
  const [path = '', heading] = link.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path))
  if (path !== '' && !existsSync(join(root, file))) return true
  if (heading === undefined || heading === '' || !file.endsWith('.md')) return false
  return !anchorsOf(path === '' ? text : read(file)).has(heading)
}

/** As GitHub makes them: lower case, without punctuation, a number behind the second of a name. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const headings = [...text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)]
  return new Set(
    headings.map(([, heading = '']) => {
      const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/<[^>]+>/g, '')
      const name = words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-')
      const count = seen.get(name) ?? 0
      seen.set(name, count + 1)
      return count === 0 ? name : `${name}-${count}`
    }),
  )
}
