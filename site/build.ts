// How is the site made? Gather the pages, let VitePress build them, add what models read, and check every link.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, serve, type DefaultTheme } from 'vitepress'
import { checkSite } from './check.ts'
import { gatherSite, markdownOf } from './gather.ts'
import { llmsList, llmsText } from './llms.ts'
import { root } from './pages.ts'
import { readSettings } from './settings.ts'
import { sidebarOf, type Entry } from './sidebar.ts'
import { typescriptPages } from './typescript.ts'

const here = import.meta.dirname
const gathered = join(here, '.pages')
const built = join(here, 'dist')
const { base, port, repository, serve: isServed } = readSettings()

const typescript = await timed('TypeDoc', typescriptPages)
if (typescript.undocumented.length > 0)
  throw new Error(`These public names have no comment that says what they are:\n${typescript.undocumented.join('\n')}`)
const { pages, files } = gatherSite(typescript.pages, repository)
const groups = sidebarOf(pages)
rmSync(gathered, { recursive: true, force: true })
for (const page of pages) write(`${page.name}.md`, markdownOf(page))
for (const file of files) copy(file, join('public', file.replace(/^docs\//, '')))
copy('packages/console/src/app/icon.svg', 'public/icon.svg')
write('public/llms.txt', llmsList(groups, base))
write('public/llms-full.txt', llmsText(groups, base))
write('sidebar.json', JSON.stringify(groups.map((group) => ({ ...itemOf(group), collapsed: true }))))

await timed('VitePress', () => build(here, { base }))
// As Markdown, too, for language models. In `public` VitePress would take them for pages.
for (const { name, text } of pages) if (name !== 'index') writeFileSync(join(built, `${name}.md`), `${text.trim()}\n`)
const findings = await timed('links', async () => checkSite(built, base))
if (findings.length > 0) {
  console.error(findings.join('\n'))
  throw new Error(`The site has ${findings.length} dead links or loads from other hosts: see above.`)
}
console.log(`${pages.length} pages, 0 dead links, nothing from other hosts.`)
if (isServed) {
  await serve({ root: here, base, port })
  console.log(`Open http://localhost:${port}${base}`)
} else console.log('The site is in site/dist. To open it in a browser: npm run docs:site -- --serve')

function itemOf(entry: Entry): DefaultTheme.SidebarItem {
  if ('page' in entry) return { text: entry.text, link: `/${entry.page.name.replace(/(^|\/)index$/, '$1')}` }
  return { text: entry.text, collapsed: true, items: entry.entries.map(itemOf) }
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(gathered, name)), { recursive: true })
  writeFileSync(join(gathered, name), text)
}

function copy(file: string, name: string): void {
  cpSync(join(root, file), join(gathered, name))
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}
