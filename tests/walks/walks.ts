// Does each quickstart lead to a first result, and how soon? npm run test:walks, or for some: -- gateway library
// Every walk is done twice: with the packed packages in place of those of the registry, and in a clone.
import { strictUpstream } from '@minutebook/testing/server'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from '../support/packed.ts'
import { patience } from '../support/patience.ts'
import { freePort } from '../support/postgres/cluster-port.ts'
import { startCluster } from '../support/postgres/cluster.ts'
import { scratchFolder } from '../support/scratch.ts'
import { mustRun, root } from '../support/workshop.ts'
import { blockOf, inTheClone, missingOn, pageOf, walks, type Typed, type Walk } from './walk.ts'

const { values: options, positionals: names } = parseArgs({
  options: { from: { type: 'string', default: 'tarballs,clone' } },
  allowPositionals: true,
})

/** Where the packages come from, and what is typed in place of the commands of the page that install them. */
interface Origin {
  readonly name: string
  readonly prepare: (folder: string) => Promise<void>
  readonly install: (packages: readonly string[]) => string
  readonly installCommand: string
  /** What runs the command for somebody who did not install it. */
  readonly npx: string
}

/** The command, and our packages that it needs. */
const ofCommand = ['minutebook', '@minutebook/sqlite', '@minutebook/postgres', '@minutebook/console', '@minutebook/cli']
const quiet = '--prefer-offline --no-audit --no-fund --loglevel=error'
const scratch = mkdtempSync(join(scratchFolder(), 'minutebook-walks-'))
const rows: Record<string, object> = {}
try {
  const tarballs = options.from.includes('tarballs') ? await packed() : new Map<string, string>()
  for (const walk of walks) {
    if (names.length > 0 && !names.includes(walk.name)) continue
    for (const origin of [fromTarballs(tarballs), fromClone()])
      if (options.from.includes(origin.name)) rows[`${walk.name}, ${origin.name}`] = await done(walk, origin)
  }
  console.table(rows)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function done(walk: Walk, origin: Origin): Promise<object> {
  const missing = missingOn(pageOf(walk), walk)
  if (missing.length > 0) throw new Error(`${walk.page} does not have: ${missing.join(', ')}`)
  const folder = join(scratch, `${walk.name}-${origin.name}`)
  for (const name of ['home', 'global']) mkdirSync(join(folder, name), { recursive: true })
  await using upstream = await strictUpstream({ answer: 'Ferns grow in the shade.', models: ['gemma3:4b'] })
  const postgres = walk.name === 'server' ? await startCluster({ version: 15 }) : undefined
  // The walk makes this role itself.
  if (postgres)
    await mustRun('psql', [postgres.superuserUrl, '-c', 'alter role minutebook rename to of_the_cluster'], folder)
  const port = await freePort()
  const children: ChildProcess[] = []
  const environment: Record<string, string> = {
    HOME: join(folder, 'home'),
    PATH: [join(folder, 'global/bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    npm_config_prefix: join(folder, 'global'),
    MINUTEBOOK_PORT: String(port),
    // Only there is a server named: the command finds one on its own data folder, and has its rights.
    ...(walk.name === 'server' && { MINUTEBOOK_SERVER: `http://127.0.0.1:${port}` }),
    MINUTEBOOK_UPSTREAMS: upstream.url,
    NO_COLOR: '1',
    ...registry(),
  }
  const here = (typed: string): string =>
    typed
      .replace(/^npm install --global .*$/, () => origin.installCommand)
      .replace(/^npm install (?!--)(.*)$/, (_, packages: string) => origin.install(packages.split(' ')))
      .replace('npx @minutebook/cli', origin.npx)
      .replace('psql -U postgres', `psql ${postgres?.superuserUrl ?? ''}`)
      .replace('@127.0.0.1/minutebook', `@127.0.0.1:${postgres?.port ?? 0}/minutebook`)
  const began = performance.now()
  let installed = 0
  try {
    await origin.prepare(folder)
    for (const step of walk.steps) {
      if ('save' in step) {
        const text = blockOf(pageOf(walk), step) ?? ''
        writeFileSync(join(folder, step.save), text.replace('new Ollama()', `new Ollama({ host: '${upstream.url}' })`))
        continue
      }
      const said = await typed(step, here(step.type), { folder, environment, children })
      for (const [name, pattern] of Object.entries(step.sets ?? {})) {
        const [, value] = pattern.exec(said) ?? []
        if (value === undefined) throw new Error(`${step.type} did not print ${pattern}:\n${said}`)
        environment[name] = value
      }
      if (step.type.startsWith('npm install')) installed = performance.now()
    }
  } finally {
    for (const child of children) await ended(child)
    await postgres?.stop()
  }
  const seconds = (performance.now() - began) / 1000
  const limit = walk.limit * patience
  if (seconds > limit) process.exitCode = 1
  return {
    'installed after, s': ((installed - began) / 1000).toFixed(1),
    'all of it, s': seconds.toFixed(1),
    'limit, s': walk.limit,
    'in time': seconds <= walk.limit ? 'yes' : seconds <= limit ? 'on a busy machine' : 'no',
  }
}

interface Terminal {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Those that go on are added here. */
  readonly children: ChildProcess[]
}

/** What it printed. */
async function typed(step: Typed, command: string, { folder, environment, children }: Terminal): Promise<string> {
  console.error(`$ ${step.type}`)
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  if (step.goesOn) children.push(child)
  let said = ''
  let hear = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
    hear()
  })
  const over = once(child, 'close').then(() => true)
  const shown = new Promise<boolean>((resolve) => {
    hear = () => step.goesOn && step.prints.test(said) && resolve(false)
  })
  const isOver = await Promise.race([over, shown])
  if (isOver && (step.goesOn || child.exitCode !== 0 || !step.prints.test(said)))
    throw new Error(`${command}\nended with ${child.exitCode} and should print ${step.prints}:\n${said}`)
  return said
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const over = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await over
}

/** The tarballs of all packages, by the name of the package. */
async function packed(): Promise<Map<string, string>> {
  const folder = join(scratch, 'packing')
  mkdirSync(folder)
  const packages = readdirSync(join(root, 'packages'))
  console.error(`packing ${packages.length} packages …`)
  const files = await packAll(packages, folder)
  return new Map(packages.map((name, index) => [name === 'core' ? 'minutebook' : `@minutebook/${name}`, files[index]!]))
}

/** As from a registry, if ours were there. */
function fromTarballs(tarballs: ReadonlyMap<string, string>): Origin {
  const files = ofCommand.flatMap((name) => tarballs.get(name) ?? [])
  return {
    name: 'tarballs',
    prepare: async () => undefined,
    install: (packages) => `npm install ${quiet} ${packages.map((name) => tarballs.get(name) ?? name).join(' ')}`,
    installCommand: `npm install ${quiet} --global ${files.join(' ')}`,
    npx: `npm exec --yes ${files.map((file) => `--package=${file}`).join(' ')} -- minutebook`,
  }
}

/** As the note of the pages says, as long as no registry has the packages. */
function fromClone(): Origin {
  const once = `(cd clone && ${inTheClone})`
  const folders: Readonly<Record<string, string>> = {
    minutebook: 'clone/packages/core',
    '@minutebook/sqlite': 'clone/packages/sqlite',
  }
  return {
    name: 'clone',
    prepare: (folder) => mustRun('git', ['clone', '--quiet', root, 'clone'], folder).then(() => undefined),
    install: (packages) =>
      `${packages.includes('minutebook') ? `${once} && ` : ''}npm install ${quiet} ${packages.map((name) => folders[name] ?? name).join(' ')}`,
    installCommand: once,
    npx: 'minutebook',
  }
}

/** Where npm finds packages here, and whom it trusts, although the home is another one. */
function registry(): Record<string, string> {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    /^npm_config_(registry|cache|userconfig)$/i.test(name) && value !== undefined ? [[name.toLowerCase(), value]] : [],
  )
  const usual = {
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    // A registry that cannot be asked for advisories lets npm wait.
    npm_config_audit: 'false',
  }
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  return {
    ...usual,
    ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
    ...(Object.fromEntries(set) as Record<string, string>),
  }
}
