// Writes docs/first-hour.md, or with --check says whether it would be another: node docs/first-hour/first-hour.ts
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '../../tests/support/workshop.ts'
import { install } from './packed.ts'
import { createSteady } from './steady.ts'
import { tell } from './story.ts'
import { createTranscript, difference } from './transcript.ts'

const page = join(root, 'docs/first-hour.md')
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'first-hour-')))
const home = join(scratch, 'home')
const [gatewayPort, enginePort] = [await freePort(), await freePort()]
const here = (text: string): string =>
  text.replaceAll(':11435', `:${gatewayPort}`).replaceAll(':11434', `:${enginePort}`)
const transcript = createTranscript(
  createSteady({
    gatewayPort,
    enginePort,
    folders: new Map([
      [home, '~'],
      [scratch, '..'],
    ]),
  }),
)

let engine: ChildProcess | undefined
try {
  mkdirSync(home)
  const folder = join(scratch, 'garden')
  const installed = await install(scratch, folder)
  engine = await startEngine()
  const environment = {
    HOME: home,
    PATH: [join(folder, 'node_modules/.bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      delimiter,
    ),
    MINUTEBOOK_PORT: String(gatewayPort),
    MINUTEBOOK_UPSTREAMS: `http://127.0.0.1:${enginePort}`,
    NO_COLOR: '1',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  }
  await tell({ shell: { folder, environment }, here, installed }, transcript)
} finally {
  engine?.kill()
  rmSync(scratch, { recursive: true, force: true })
}

const text = transcript.markdown()
const before = read()
if (!process.argv.includes('--check')) {
  writeFileSync(page, text)
  console.log(text === before ? 'docs/first-hour.md is as it was.' : 'docs/first-hour.md is new.')
} else {
  const found = difference(before, text)
  console.log(
    found === undefined
      ? `docs/first-hour.md holds${text === before ? ', byte for byte' : ''}.`
      : `docs/first-hour.md is out of date: run npm run docs:first-hour.\n${found}`,
  )
  process.exitCode = found === undefined ? 0 : 1
}

/** Nothing where there is no page yet. */
function read(): string {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return ''
  }
}

async function startEngine(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(root, 'tests/real-model/serve.ts'), '--port', String(enginePort), '--n-ctx', '512'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    if (
      await fetch(`http://127.0.0.1:${enginePort}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child
    await pause(100)
  }
  child.kill()
  throw new Error('The engine does not start. Has tests/real-model/install.sh run?')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
