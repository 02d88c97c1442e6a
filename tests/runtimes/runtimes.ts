// On which runtimes does Minutebook run, as it is packed? npm run test:runtimes, or for some: -- bun@1.4.0 chromium
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAll } from '../support/packed.ts'
import { scratchFolder } from '../support/scratch.ts'
import { mustRun, run, type Outcome } from '../support/workshop.ts'
import { bundled, inChromium, inEdgeVm, inWorkerd } from './edge.ts'
import { greeting, sayHello, sown, type Command } from './hello.ts'

/** What runs files, each at its oldest version that works and at its newest: as npm installs it, and how it is started. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'node@22.18.0': [],
  'node@24': [],
  'bun@1.4.0': [],
  'bun@latest': [],
  'deno@2.7.1': ['run', '--allow-all'],
  'deno@latest': ['run', '--allow-all'],
}

/** What takes a bundle. */
const hosts: Readonly<Record<string, (bundle: string) => Promise<string>>> = {
  chromium: inChromium,
  'edge-runtime': inEdgeVm,
  'miniflare@latest': async (bundle) => inWorkerd(bundle, await folderOf('miniflare@latest')),
}

/** What was tried: the hello world, the command on its file, the contract of a store, a turn without a file. */
interface Row {
  readonly hello: string
  readonly explain: string
  readonly store: string
  readonly memory: string
}

const scratch = mkdtempSync(join(scratchFolder(), 'minutebook-runtimes-'))
const home = join(scratch, 'home')
const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
const failures: string[] = []
try {
  const wanted = process.argv.slice(2)
  await settle()
  const bundle = await bundled(home)
  const expected = await mustRun(process.execPath, ['print-edge.ts'], home)
  const rows: Record<string, Row> = {}
  for (const name of wanted.length > 0 ? wanted : [...Object.keys(programs), ...Object.keys(hosts)]) {
    const started = performance.now()
    const [shown, row] = await tried(name, bundle, expected)
    rows[shown] = row
    console.error(`${shown} took ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
  console.table(rows)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) console.error(`\n${failure.slice(0, 2000)}`)
process.exitCode = failures.length > 0 ? 1 : 0

/** Installs the packed packages, and what the hello world uses besides, into an empty folder. */
async function settle(): Promise<void> {
  const packages = ['core', 'sqlite', 'testing', 'postgres', 'console', 'cli']
  const tarballs = await packAll(packages, scratch, { others: ['client', 'experiment', 'inspect', 'server'] })
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
  await mustRun('npm', ['install', ...quiet, ...tarballs, 'ollama', 'zod'], home)
  cpSync(new URL('./programs/', import.meta.url), home, { recursive: true })
}

async function tried(name: string, bundle: string, expected: string): Promise<[shown: string, row: Row]> {
  const host = hosts[name]
  if (host) {
    const memory = await same(name, expected, host(bundle))
    return [name, { hello: '-', explain: '-', store: '-', memory }]
  }
  const command = await commandOf(name)
  const version = (await mustRun(command[0], ['--version'], home)).match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown'
  const shown = `${name.split('@')[0]} ${version}`
  const { outcome, requests } = await sayHello(command, home)
  const told = requests.at(-1)?.messages.at(-1)?.content === sown
  const hello = cell(`${shown}: hello.ts`, outcome, outcome.stdout === greeting && told)
  const explained = await run('npx', ['--no-install', '@minutebook/cli', 'explain', 'garden.db'], home)
  const proven = explained.stdout.includes('✓ exactly what was sent') && explained.stdout.includes('Sow bed 3')
  const explain = cell(`${shown}: explain`, explained, proven)
  const [program, ...args] = command
  const store = cell(`${shown}: store.ts`, await run(program, [...args, 'store.ts'], home))
  const memory = await same(shown, expected, mustRun(program, [...args, 'print-edge.ts'], home))
  return [shown, { hello, explain, store, memory }]
}

async function commandOf(name: string): Promise<Command> {
  const [program = ''] = name.split('@')
  const known = Object.keys(programs).find((key) => key.startsWith(`${program}@`))
  if (known === undefined)
    throw new Error(
      `There is no runtime ${name}. Name one of ${[...Object.keys(programs), ...Object.keys(hosts)].join(', ')}`,
    )
  return [join(await folderOf(name), 'node_modules/.bin', program), ...(programs[known] ?? [])]
}

/** Where a package with a runtime is installed, alone. */
async function folderOf(name: string): Promise<string> {
  const folder = join(scratch, name)
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await mustRun('npm', ['install', ...quiet, name], folder)
  return folder
}

async function same(name: string, expected: string, answer: Promise<string>): Promise<string> {
  try {
    if ((await answer).trim() === expected.trim()) return 'yes'
    failures.push(`${name}: the prompt is another one than in Node ${process.version}:\n${await answer}`)
  } catch (error) {
    failures.push(`${name}: edge.ts failed:\n${String(error)}`)
  }
  return 'NO'
}

function cell(what: string, { code, stdout, stderr }: Outcome, right = true): string {
  if (code === 0 && right) return 'yes'
  failures.push(`${what} ${code === 0 ? 'went otherwise' : 'failed'}:\n${stdout}${stderr}`)
  return 'NO'
}
