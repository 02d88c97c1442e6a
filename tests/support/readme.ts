import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { blocksOf, isRunnable } from './blocks.ts'

/** Runs the one program in the README of a package, on the sources, and returns the lines that it printed. */
export async function printedByReadme(home: string): Promise<string[]> {
  // Below the tests, so that the program is read like one of them and finds the sources.
  const parent = join(home, 'test/.blocks')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    const [block, ...others] = blocksOf('README.md', readFileSync(join(home, 'README.md'), 'utf8')).filter(isRunnable)
    expect(others).toEqual([])
    const file = join(folder, 'block.ts')
    writeFileSync(file, block!.text)
    await import(file)
    return print.mock.calls.map((line) => line.join(' '))
  } finally {
    print.mockRestore()
    rmSync(folder, { recursive: true, force: true })
  }
}
