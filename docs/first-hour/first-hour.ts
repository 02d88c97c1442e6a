// Writes docs/first-hour.md, or with --check says whether it would be another: node docs/first-hour/first-hour.ts
// With --record, the real model answers again, if bench/answers/install.sh has installed it. Otherwise its recorded answers do.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadChatModel, modelFolder } from '../../bench/answers/chat-model.ts'
import { serveModel } from '../../bench/answers/model-server.ts'
import { freePort } from '../../tests/support/postgres/cluster-port.ts'
import { root } from '../../tests/support/workshop.ts'
import { install } from './packed.ts'
import { recordedModel, refusing } from './recorded-model.ts'
import { createSteady } from './steady.ts'
import { tell } from './story.ts'
import { createTranscript, difference } from './transcript.ts'

const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
})
const page = join(root, 'docs/first-hour.md')
const recording = join(root, 'docs/first-hour/recording.json')
const window = 2048
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'first-hour-')))
const home = join(scratch, 'home')
const model = options.record ? await loadChatModel({ folder: modelFolder, window, threads: 2 }) : refusing
const recorded = recordedModel(model, recording)
const engine = await serveModel(recorded.model, { name: 'tinyllama', window }, 0)
const [gatewayPort, enginePort] = [await freePort(), Number(new URL(engine.url).port)]
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

try {
  mkdirSync(home)
  const folders = { commands: join(scratch, 'commands'), programs: join(scratch, 'garden') }
  const installed = await install(scratch, folders)
  const environment = {
    HOME: home,
    PATH: [join(folders.commands, 'bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      delimiter,
    ),
    MINUTEBOOK_PORT: String(gatewayPort),
    MINUTEBOOK_UPSTREAMS: engine.url,
    NO_COLOR: '1',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  }
  await tell({ shell: { folder: folders.programs, environment }, here, installed }, transcript)
} finally {
  await engine.close()
  if (options.record) recorded.save()
  rmSync(scratch, { recursive: true, force: true })
}

const text = transcript.markdown()
const before = read()
if (!options.check) {
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
