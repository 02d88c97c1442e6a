import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

const missing = "The engine's packages are missing: run tests/real-model/install.sh."

/** Whether a test may load the engine's packages. */
export const isInstalled: boolean = existsSync(join(import.meta.dirname, 'node_modules', '.installed-lock'))

if (!isInstalled && process.env['CI'] !== undefined) throw new Error(missing)

export function skipUnlessInstalled(context: TestContext): void {
  context.skip(!isInstalled, `${missing} With CI set this is a failure.`)
}
