import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromSources } from '../packages/core/test/support/workshop.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs an example as a person would: a process of its own for each request, with a file of its own. */
export function program(name: string, settings: Readonly<Record<string, string>>): (...words: readonly string[]) => Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `minutebook-${name}-`))
  const file = fileURLToPath(new URL(`./${name}/${name}.ts`, import.meta.url))
  const env = { ...process.env, ...settings, [`${name.toUpperCase()}_FILE`]: join(folder, `${name}.db`) }
  return (...words) =>
    new Promise((resolve) => {
      execFile(process.execPath, ['--import', fromSources, file, ...words], { env, timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
      })
    })
}
