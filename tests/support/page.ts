import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blocksOf } from './blocks.ts'
import { fromSources, root, run } from './workshop.ts'

/** What the program of a page printed, and what the page says that it prints. */
export interface PageRun {
  readonly printed: string
  readonly expected: string
}

/**
 * Runs the first `ts` block of a page as a program, from the sources, and returns what it printed next to the first
 * `text` block. Throws if the program fails or writes an error.
 */
export async function runPage(path: string): Promise<PageRun> {
  const blocks = blocksOf(path, await readFile(join(root, path), 'utf8'))
  const [program, expected] = ['ts', 'text'].map((wanted) => blocks.find(({ language }) => language === wanted)?.text)
  if (program === undefined || expected === undefined) throw new Error(`${path}: a ts and a text block are missing.`)
  const args = ['--import', fromSources, '--input-type=module-typescript', '--eval', program]
  const { code, stdout, stderr } = await run(process.execPath, args, root)
  if (code !== 0 || stderr !== '') throw new Error(`${path}: the program ended with ${code}.\n${stderr}`)
  return { printed: stdout, expected }
}
