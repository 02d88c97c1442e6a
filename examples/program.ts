import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { fromSources, root, run, type Outcome } from '../tests/support/workshop.ts'

/**
 * Runs an example as a person would: a process of its own for each request, with a file of its own that goes with the
 * test.
 */
export function program(
  name: string,
  settings: Readonly<Record<string, string>>,
): (...words: readonly string[]) => Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `minutebook-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = fileURLToPath(new URL(`./${name}/${name}.ts`, import.meta.url))
  // Node 22 warns that its SQLite is an experiment.
  const env = { ...settings, NODE_NO_WARNINGS: '1', [`${name.toUpperCase()}_FILE`]: join(folder, `${name}.db`) }
  return (...words) => run(process.execPath, ['--import', fromSources, file, ...words], root, env)
}
