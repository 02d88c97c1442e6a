// Which versions of the libraries next to Minutebook work with it: npm run test:peers, or for some: -- openai@4.20.0
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packAll } from '../support/packed.ts'
import { root, run, type Outcome } from '../support/workshop.ts'

/** The packages that are installed with each peer, and the one of them whose manifest has the range. */
const peers: Readonly<Record<string, { readonly of: string; readonly packages: readonly string[] }>> = {
  openai: { of: 'core', packages: ['core', 'testing'] },
  ollama: { of: 'core', packages: ['core', 'testing'] },
  'gpt-tokenizer': { of: 'core', packages: ['core'] },
  ai: { of: 'ai-sdk', packages: ['core', 'ai-sdk'] },
}

interface Row {
  readonly version: string
  readonly installs: string
  readonly types: string
  readonly runs: string
}

const programs = new URL('./programs/', import.meta.url)
const scratch = mkdtempSync(join(tmpdir(), 'minutebook-peers-'))
const failures: string[] = []
try {
  const packages = ['core', 'testing', 'ai-sdk']
  const files = await packAll(packages, scratch)
  const tarballs = new Map(packages.map((name, index) => [name, files[index] ?? '']))
  const wanted = process.argv.slice(2)
  const rows: Row[] = []
  for (const spec of wanted.length > 0 ? wanted : Object.keys(peers).flatMap(edgesOf)) {
    const row = await tried(spec, tarballs)
    console.error(Object.values(row).join(' '))
    rows.push(row)
  }
  console.table(Object.fromEntries(rows.map(({ version, ...cells }) => [version, cells])))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) console.error(`\n${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0

/** For each `^1.2.3` of a peer's range the oldest version, and the newest one that npm finds. */
function edgesOf(peer: string): string[] {
  const { of } = peerNamed(peer)
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages', of, 'package.json'), 'utf8')) as {
    peerDependencies: Readonly<Record<string, string>>
  }
  return (peerDependencies[peer] ?? '')
    .split(' || ')
    .flatMap((part) => [`${peer}@${part.replace('^', '')}`, `${peer}@${part}`])
}

function peerNamed(peer: string): (typeof peers)[string] {
  const found = peers[peer]
  if (found) return found
  throw new Error(
    `There is no peer ${peer}. Name one of ${Object.keys(peers).join(', ')}, with a version: openai@4.20.0`,
  )
}

/** Installs the packages and one version of a peer into an empty folder, and runs the peer's program there. */
async function tried(spec: string, tarballs: ReadonlyMap<string, string>): Promise<Row> {
  const peer = spec.slice(0, spec.lastIndexOf('@'))
  const folder = mkdtempSync(join(scratch, `${peer}-`))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const files = peerNamed(peer).packages.map((name) => tarballs.get(name) ?? '')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const installed = await run('npm', ['install', ...flags, ...files, spec], folder)
  const installs = cell(`${spec} does not install`, installed)
  if (installed.code !== 0) return { version: spec, installs, types: '-', runs: '-' }
  const version = `${peer}@${versionIn(join(folder, 'node_modules', peer))}`
  cpSync(programs, folder, { recursive: true })
  const types = cell(`${version} does not fit the types`, await checked(folder, peer))
  const runs = cell(`${version} does not run`, await run(process.execPath, [`${peer}.ts`], folder))
  rmSync(folder, { recursive: true })
  return { version, installs, types, runs }
}

function cell(failure: string, { code, stdout, stderr }: Outcome): string {
  if (code === 0) return 'yes'
  failures.push(`${failure}:\n${stdout}${stderr}`)
  return 'NO'
}

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}

/**
 * Checks the program and our own declarations against those of the installed version. Errors within other libraries,
 * which users skip with `skipLibCheck`, are not ours.
 */
async function checked(folder: string, peer: string): Promise<Outcome> {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${peer}.ts`] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = await run(process.execPath, [tsc, '--pretty', 'false', '-p', folder], folder)
  const ours = stdout.split('\n').filter((line) => /^([\w-]+\.ts|node_modules\/@?minutebook\/.*)\(|^error/.test(line))
  return { code: ours.length > 0 || stderr !== '' ? 1 : 0, stdout: ours.join('\n'), stderr }
}
