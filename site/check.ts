// Does every link of the built site lead somewhere, and does no page load anything from another host?
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

/** What is wrong in a folder with the built site: a line each. */
export function checkSite(folder: string, base: string): string[] {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const texts = new Map(
    names.filter((name) => /\.(html|css)$/.test(name)).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  return findingsIn(texts, new Set(names), base)
}

/** `texts`: pages and style sheets by their names. `names`: all files of the site. */
export function findingsIn(texts: ReadonlyMap<string, string>, names: ReadonlySet<string>, base: string): string[] {
  const anchors = new Map(
    [...texts].filter(([name]) => name.endsWith('.html')).map(([name, text]) => [name, idsIn(text)]),
  )
  const isDead = (page: string, link: string): boolean => {
    const [address = '', heading = ''] = link.split('#')
    const path = address.split('?')[0] ?? ''
    const file = path === '' ? page : fileAt(path.startsWith('/') ? path : join('/', base, dirname(page), path), base)
    if (file === undefined || !names.has(file)) return true
    return heading !== '' && file.endsWith('.html') && !(anchors.get(file)?.has(decodeURIComponent(heading)) ?? false)
  }
  return [...texts].flatMap(([page, text]) => {
    if (page.endsWith('.css')) return foreignIn(text).map((address) => `${page} loads ${address}`)
    const markup = text.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
      script.slice(0, script.indexOf('>') + 1),
    )
    const links = [...markup.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(([, link = '']) => unescaped(link))
    const loaded = [...loadedIn(markup), ...foreignIn(markup)]
    return [
      ...[...links, ...loaded]
        .filter((link) => !isForeign(link) && isDead(page, link))
        .map((link) => `${page}: dead link ${link}`),
      ...loaded.filter((link) => isForeign(link) && !link.startsWith('data:')).map((link) => `${page} loads ${link}`),
    ]
  })
}

/** Addresses that a browser loads by itself. */
function loadedIn(markup: string): string[] {
  const sources = [...markup.matchAll(/<(?:script|img|source|iframe|video|audio|embed)\b[^>]*? src(?:set)?="([^"]*)"/g)]
  const sheets = [...markup.matchAll(/<link\b[^>]*>/g)].map(([tag]) => / href="([^"]*)"/.exec(tag))
  return [...sources, ...sheets].flatMap((match) => (match?.[1] === undefined ? [] : [unescaped(match[1])]))
}

function foreignIn(text: string): string[] {
  const addresses = [...text.matchAll(/url\(["']?((?:https?:)?\/\/[^"')]+)|@import\s+["']((?:https?:)?\/\/[^"']+)/g)]
  return addresses.map(([, one, other]) => one ?? other ?? '')
}

function isForeign(link: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)
}

/** The file that a server of plain files sends for an address. Undefined outside of the site. */
function fileAt(address: string, base: string): string | undefined {
  if (!`${address}/`.startsWith(base)) return undefined
  const name = decodeURIComponent(address.slice(base.length))
  return name === '' || name.endsWith('/') ? `${name}index.html` : name
}

function idsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/ (?:id|name)="([^"]+)"/g)].map(([, id = '']) => unescaped(id)))
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
