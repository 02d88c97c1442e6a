import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCommand, type BundleOptions } from '../../../packages/cli/bundle.ts'
import { root } from '../workshop.ts'

/** For `node --import`: writes to the third stream how many modules a process has loaded. */
export const countModules: string = fileURLToPath(new URL('count-modules.ts', import.meta.url))

/** The command as it is published. */
export interface InstalledCommand {
  /** The program, for node. */
  readonly file: string
  /** The folders of the packages that the bundle contains. */
  readonly packages: readonly string[]
}

/** Installs the command: its bundle, and next to it what the bundle does not contain. */
export async function installCommand(
  folder: string,
  { version = '0.0.0', sources }: Pick<BundleOptions, 'sources'> & { readonly version?: string } = {},
): Promise<InstalledCommand> {
  mkdirSync(folder, { recursive: true })
  const packages = await bundleCommand({ folder: join(folder, 'dist'), sources })
  const manifest = { name: '@minutebook/cli', version, type: 'module' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { file: join(folder, 'dist/main.js'), packages }
}
