import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// For `prepack`: makes one file of each command, and of what several commands share. Node loads a few files in place
// of a thousand, so that a command starts in a fraction of the time. `bundleCommand` also makes the bundle of tests.

/** Packages that are loaded from node_modules: they read files of their own, or are installed only by some users. */
const external = [
  '@minutebook/console',
  '@minutebook/postgres',
  'pg',
  /^gpt-tokenizer(?:\/|$)/,
  '@huggingface/tokenizers',
]

export interface BundleOptions {
  /** Where the bundle is written. Its parent folder has the package.json, in which the command reads its version. */
  readonly folder: string
  /** The files of packages by name, to bundle their sources in place of what was built. */
  readonly sources?: ReadonlyMap<string, string> | undefined
}

/** Writes the bundle, and returns the packages of others that are in it. */
export async function bundleCommand({ folder, sources = new Map() }: BundleOptions): Promise<string[]> {
  const here = fileURLToPath(new URL('src/', import.meta.url))
  const bundle = await rolldown({
    input: { main: join(here, 'main.ts'), index: join(here, 'index.ts') },
    platform: 'node',
    external,
    resolve: { alias: Object.fromEntries([...sources].map(([name, file]) => [`${name}$`, file])) },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const files = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  return [...new Set(files.flatMap((file) => packageOf(file)))].toSorted()
}

/** The folder of the package of others that a file belongs to. */
function packageOf(file: string): string[] {
  const match = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)
  return match && existsSync(join(match[0], 'package.json')) ? [match[0]] : []
}

/** The licences of the packages that the bundle contains. */
function licencesOf(packages: readonly string[]): string {
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly version: string
      readonly license?: string
    }
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license ?? 'see its text'})\n\n${text}`
  })
  return `This command contains these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('dist/', import.meta.url))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.js')) rmSync(join(folder, file))
  const packages = await bundleCommand({ folder })
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesOf(packages))
}
