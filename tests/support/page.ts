import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from './blocks.ts'
import { core, fromSources, mustRun, root } from './workshop.ts'

/**
 * Runs the program on a page, which is its first `ts` block, on the sources of the packages. Returns what it printed, and
 * what the page says that it prints, which is its first `text` block.
 *
 * @example
 * const { printed, expected } = await runPage('docs/seeds/002-notes.md')
 */
export async function runPage(path: string): Promise<{ readonly printed: string; readonly expected: string }> {
  const blocks = blocksOf(path, readFileSync(join(root, path), 'utf8'))
  const first = (language: string): string => {
    const block = blocks.find((each) => each.language === language)
    if (!block) throw new Error(`${path} has no \`${language}\` block.`)
    return block.text
  }
  // Below core's tests, so that the program finds the packages of the workspace.
  const parent = join(core, 'test/.blocks')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'page-'))
  try {
    const file = join(folder, 'program.ts')
    writeFileSync(file, first('ts'))
    const printed = await mustRun(process.execPath, ['--import', fromSources, file], folder)
    return { printed, expected: first('text') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
