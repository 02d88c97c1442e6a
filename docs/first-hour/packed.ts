import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packAll } from '../../tests/support/packed.ts'
import { mustRun } from '../../tests/support/workshop.ts'

/** What the command consists of. Other packages are bundled into it. */
const ofCommand = ['core', 'sqlite', 'postgres', 'console', 'cli'] as const
const bundled = ['client', 'experiment', 'inspect', 'server'] as const
/** What a program of one's own needs. */
const ofProgram = ['minutebook-0', 'minutebook-sqlite-0']

export interface Folders {
  /** Where npm installs commands. */
  readonly commands: string
  /** Where programs are written. */
  readonly programs: string
}

/** What npm printed. */
export interface Installed {
  readonly commands: string
  readonly programs: string
}

/** Installs the packed packages in place of those of the registry, and the official client of Ollama. */
export async function install(scratch: string, { commands, programs }: Folders): Promise<Installed> {
  const tarballs = (await packAll(ofCommand, scratch, { others: bundled })).toSorted()
  for (const folder of [commands, programs]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(programs, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const own = tarballs.filter((file) => ofProgram.some((name) => basename(file).startsWith(name)))
  return {
    commands: await mustRun('npm', ['install', '--global', '--prefix', commands, ...quiet, ...tarballs], programs),
    programs: await mustRun('npm', ['install', ...quiet, ...own, 'ollama'], programs),
  }
}
