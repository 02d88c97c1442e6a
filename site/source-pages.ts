// What is in examples/ and deploy/? Each folder is a page with its files, so that links to them work without a repository.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { placeOf, root, type Page } from './pages.ts'

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.py': 'python',
  '.yaml': 'yaml',
  '.sql': 'sql',
  '.json': 'json',
}

/** The pages of the examples with their overview, and the page of `deploy`. */
export function sourcePages(written: readonly Page[]): Page[] {
  const examples = globSync('examples/*/', { cwd: root })
    .map((folder) => folder.replace(/\/$/, ''))
    .filter((folder) => filesIn(folder).length > 0)
    .toSorted()
    .map((folder) => examplePage(folder, written))
  return [...examples, overview(examples), deployPage()]
}

/** Which page and heading shows a file or folder of the repository. */
export function shownFiles(pages: readonly Page[]): Map<string, string> {
  const shown = new Map<string, string>([['deploy', 'deploy']])
  for (const file of filesIn('deploy')) shown.set(file, `deploy#${anchorOf(file)}`)
  for (const { name } of pages.filter((page) => page.name.startsWith('examples/'))) {
    shown.set(name, name)
    for (const file of filesIn(name)) shown.set(file, `${name}#${anchorOf(file)}`)
  }
  return shown
}

function examplePage(folder: string, written: readonly Page[]): Page {
  const readme = written.find((page) => page.name === placeOf(`${folder}/README.md`))
  const title = basename(folder).replaceAll('-', ' ')
  const head = readme?.text ?? `# ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${saying(folder)}\n`
  const page = readme ?? { name: folder, title: head.slice(2, head.indexOf('\n')), order: 99 }
  return { ...page, text: `${head.trimEnd()}\n\n${listing(filesIn(folder))}` }
}

function overview(examples: readonly Page[]): Page {
  const rows = examples.map(({ name, title }) => `| [${title}](${name}) | ${saying(name)} |`)
  const text = `# Examples\n\nSmall programs. Each of them is run by a test.\n\n| example | what it shows |\n|---|---|\n${rows.join('\n')}\n`
  return { name: 'examples/index', title: 'Examples', order: 0, text }
}

function deployPage(): Page {
  const title = 'Files for deployment'
  const head = `# ${title}\n\nThe folder \`deploy\` of the repository. [Operation](docs/operation.md) explains how they are used.`
  return { name: 'deploy', title, order: 99, text: `${head}\n\n${listing(filesIn('deploy'))}` }
}

/** The first comment of the program. */
function saying(folder: string): string {
  const files = filesIn(folder).filter((file) => !file.includes('.test.'))
  const main = files.find((file) => file.endsWith(`${basename(folder)}.ts`)) ?? files[0] ?? ''
  const text = readFileSync(join(root, main), 'utf8')
  const [, comment = ''] = /^(?:\/\/|#) ?([\s\S]*?)\n(?!(?:\/\/|#) \S)/.exec(text) ?? []
  return comment.replaceAll(/\n(?:\/\/|#) /g, ' ')
}

function listing(files: readonly string[]): string {
  return files
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8').trimEnd()
      return `## \`${basename(file)}\`\n\n\`\`\`\`${languages[extname(file)] ?? 'text'}\n${text}\n\`\`\`\`\n`
    })
    .join('\n')
}

function filesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return globSync(`${folder}/*`, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md' && !/lock/.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`)
    .toSorted()
}

/** As the anchors of the site are made. */
function anchorOf(file: string): string {
  return basename(file)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
}
