import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { within } from './patience.ts'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))
export const core: string = join(root, 'packages/core')
export const sourceFolder: string = join(core, 'src')

/**
 * All files below a folder, as paths relative to it with forward slashes, in order. Without the folders `.block…`, which
 * tests of examples make next to sources and remove while another test lists them.
 */
export function filesBelow(folder: string): string[] {
  const walk = (below: string): string[] =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((found) => {
      const path = `${below}${found.name}`
      if (found.isDirectory()) return found.name.startsWith('.block') ? [] : walk(`${path}/`)
      return found.isFile() ? [path] : []
    })
  return walk('').toSorted()
}

/** All Markdown files of the repository, new ones too, as paths in it. */
export function markdownFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program to its end, without the variables that npm hands to its scripts, with those that are named. A failure
 * is an outcome, not an error.
 */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_OPTIONS$)/i.test(name) || /^npm_config_(registry|cache|userconfig)$/i.test(name),
  )
  const options = { cwd, env: { ...Object.fromEntries(kept), ...env }, maxBuffer: 64 << 20, timeout: within(300_000) }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr })
    })
  })
}

/** Runs a program that must succeed and gives what it printed. */
export async function mustRun(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, cwd)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

/** All that `npm pack` reads of a package here, its `prepack` included. */
const packed = [
  'package.json',
  'tsconfig.json',
  'tsconfig.edge.json',
  'tsconfig.bare.json',
  'strip-internal-comments.mjs',
  'bundle.ts',
  'vite.config.ts',
  'README.md',
  'schema.json',
  'src',
  'sql',
]

/**
 * Copies packages to a workshop in which they can be packed: then neither an old build nor one under way can get into a
 * tarball. The caller links the libraries.
 */
export function copyPackages(names: readonly string[], workshop: string): void {
  for (const name of names) {
    const [from, to] = [join(root, 'packages', name), join(workshop, 'packages', name)]
    mkdirSync(to, { recursive: true })
    for (const file of packed)
      if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file), { recursive: true })
  }
  for (const file of ['tsconfig.base.json', 'README.md', 'LICENSE']) cpSync(join(root, file), join(workshop, file))
}

/**
 * Every name that a package exports, with its source: `minutebook/store` → `…/core/src/store.ts`. So does every name
 * that it has for itself, for Node: `#sha256`.
 */
export function publicSources(): Map<string, string> {
  const folders = readdirSync(join(root, 'packages')).map((folder) => join(root, 'packages', folder))
  return new Map(
    folders.flatMap((folder) => {
      const { name, exports, imports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      const source = (built: string): string => join(folder, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
      const offered = Object.entries(exports).flatMap(([subpath, offer]) =>
        typeof offer === 'string' ? [] : [[`${name}${subpath.slice(1)}`, source(offer.default)] as const],
      )
      return [...offered, ...Object.entries(imports).map(([own, { node }]) => [own, source(node)] as const)]
    }),
  )
}

interface Manifest {
  readonly name: string
  /** A plain file, such as package.json, has its path alone. */
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>
  readonly imports?: Readonly<Record<string, { readonly node: string }>>
}

/** For `node --import`, before a script that shall run on the sources. */
export const fromSources: string = new URL('./from-sources.ts', import.meta.url).href
