import type { Command } from 'commander'
import {
  configuredFor,
  createUpstreamClient,
  createWindows,
  upstreamsOf,
  type Config,
  type Upstream,
} from '@minutebook/server'
import { ok, type Check } from '../doctor/check.ts'
import { counterChecks } from '../doctor/counter-checks.ts'
import { storeChecks } from '../doctor/store-checks.ts'
import { templateCheck } from '../doctor/template-check.ts'
import { toolChecks } from '../doctor/tool-checks.ts'
import { upstreamChecks } from '../doctor/upstream-checks.ts'
import { windowCheck } from '../doctor/window-check.ts'
import type { Office } from '../office.ts'
import { aboutServer } from '../remote-desk.ts'
import type { Terminal } from '../terminal.ts'
import { lookAt, publicUrl } from '../upstream-look.ts'
import { checkLines } from '../views/checks.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly model?: string
}

export function doctorCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand(
    'doctor',
    'Check upstream, windows, templates, counting, tools and store, and say what to change',
  )
    .option('--model <name>', 'this model alone; its template is tried even where that loads it')
    .action((options: Options) =>
      reading(terminal, options, ended, async (office) => {
        const checks = await examined(office, options.model)
        const isWell = checks.every(({ state }) => state !== 'bad')
        show(terminal, options, { ok: isWell, checks }, () => checkLines(checks, terminal))
        return isWell ? 0 : 1
      }),
    )
}

async function examined(office: Office, model: string | undefined): Promise<Check[]> {
  const { config, server, desk } = office
  const serving = server
    ? ok('server', `runs at ${server.url}${server.pid === undefined ? '' : ` (process ${server.pid})`}`)
    : ok('server', 'does not run; commands read the store themselves')
  const [upstreams, others] = await upstreamsIn(office)
  const ofUpstreams = await Promise.all(upstreams.map((upstream) => upstreamExamined(config, upstream, model)))
  return [
    serving,
    ...others,
    ...ofUpstreams.flat(),
    ...(await counterChecks(desk)),
    ...(await toolChecks(office)),
    ...(await storeChecks(office)),
  ]
}

/** Those of the server that runs: it may have been started with other settings than ours. */
async function upstreamsIn({ config, server }: Office): Promise<readonly [readonly Upstream[], readonly Check[]]> {
  const ours = upstreamsOf(config.upstreams).all
  const { upstreams: served } = server ? await aboutServer(server) : {}
  if (!served || served.map(({ url }) => url).join() === ours.map(({ url }) => publicUrl(url)).join()) return [ours, []]
  const known = new Map(config.upstreams.map((upstream) => [publicUrl(upstream.url), upstream]))
  const differs = ok('configuration', 'the server was started with upstreams of its own; these are looked at')
  return [upstreamsOf(served.map((upstream) => ({ ...known.get(upstream.url), ...upstream }))).all, [differs]]
}

const mostModels = 12

async function upstreamExamined(config: Config, upstream: Upstream, named: string | undefined): Promise<Check[]> {
  const look = await lookAt(upstream)
  const checks = upstreamChecks(look)
  if (look.kind === undefined) return checks
  const caller = createUpstreamClient()
  try {
    const windows = createWindows(config.models, caller, { load: false })
    const models = named === undefined ? look.models.slice(0, mostModels) : [named]
    for (const model of models) {
      checks.push(await windowCheck(windows, upstream, look, model))
      // Trying a template loads the model, which may throw another one out.
      if (named !== undefined || look.kind !== 'Ollama' || look.loaded.includes(model))
        checks.push(await templateCheck(upstream, look, model, configuredFor(config.models, model)))
    }
    return checks
  } finally {
    await caller.close()
  }
}
