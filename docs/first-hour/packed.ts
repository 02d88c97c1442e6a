import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAll } from '../../tests/support/packed.ts'
import { mustRun } from '../../tests/support/workshop.ts'

/** What is installed for the command and for a program of one's own: the other packages are bundled into the command. */
const installed = ['core', 'postgres', 'console', 'cli', 'sqlite'] as const
const bundled = ['client', 'experiment', 'server'] as const

/** Installs the packed packages and the official client into an empty folder; returns what npm said. */
export async function install(scratch: string, folder: string): Promise<string> {
  const tarballs = await packAll(installed, scratch, { others: bundled })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  return mustRun(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs.toSorted(), 'ollama'],
    folder,
  )
}
