// What is in examples/ and deploy/? Each folder is a page with its files, so that links to them work without a repository.
import { globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { root, type Page } from './pages.ts'

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

/** Those pages of examples and of `deploy` that show the files of their folder, below what is written of them. */
export function sourcePages(written: readonly Page[]): Page[] {
  return written
    .filter(({ source = '' }) => /^(?:deploy|examples\/[^/]+)\/README\.md$/.test(source))
    .map((page) => ({ ...page, text: `${page.text.trimEnd()}\n\n${listing(filesIn(page.name))}` }))
}

/** Which page and heading shows a file or folder of the repository. */
export function shownFiles(pages: readonly Page[]): Map<string, string> {
  const shown = new Map<string, string>()
  for (const { name } of pages) {
    shown.set(name, name)
    for (const file of filesIn(name)) shown.set(file, `${name}#${anchorOf(file)}`)
  }
  return shown
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
  // Of the hidden files only this one: a folder that is in use has an .env with passwords.
  return globSync(`${folder}/{*,.env.example}`, { cwd: root, withFileTypes: true })
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
