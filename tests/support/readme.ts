import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { blocksOf, isRunnable } from './blocks.ts'

/** Runs the programs in the README of a package, on the sources, and returns the lines that they printed. */
export async function printedByReadme(home: string): Promise<string[]> {
  // Below the tests, so that the program is read like one of them and finds the sources.
  const parent = join(home, 'test/.blocks')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    const blocks = blocksOf('README.md', readFileSync(join(home, 'README.md'), 'utf8')).filter(isRunnable)
    expect(blocks).not.toEqual([])
    for (const [index, { text }] of blocks.entries()) {
      const file = join(folder, `block-${index}.ts`)
      writeFileSync(file, text)
      await import(file)
    }
    return print.mock.calls.map((line) => line.join(' '))
  } finally {
    print.mockRestore()
    rmSync(folder, { recursive: true, force: true })
  }
}
