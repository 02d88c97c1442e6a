import {
  type Config,
  configuredFor,
  createUpstreamClient,
  createWindows,
  type Upstream,
  upstreamsOf,
} from '@minutebook/server'
import type { MinutebookError } from 'minutebook'
import type { Connection } from '../connection/connection.ts'
import { aboutServer } from '../connection/remote-archive.ts'
import { bad, type Check, keyChecks, ok } from './check.ts'
import { counterChecks } from './counter-checks.ts'
import { cutCheck, seenWindows, type SeenWindow } from './cut-prompts.ts'
import { storeChecks } from './store-checks.ts'
import { templateCheck } from './template-check.ts'
import { toolChecks } from './tool-checks.ts'
import { upstreamChecks, windowCheck } from './upstream-checks.ts'
import { lookAt, publicUrl } from './upstream-look.ts'

/** Checks everything that a chat needs, in the order in which a request uses it. `model`: check only this one. */
export async function examine(connection: Connection, model: string | undefined): Promise<Check[]> {
  const { config, server, archive, keys } = connection
  const serving = server
    ? ok('server', `runs at ${server.url}${server.pid === undefined ? '' : ` (process ${server.pid})`}`)
    : ok('server', 'is not running; commands read the store directly')
  const [upstreams, others] = await upstreamsIn(connection)
  const seen = await seenWindows(archive)
  const ofUpstreams = await Promise.all(upstreams.map((upstream) => examineUpstream(config, upstream, model, seen)))
  const listed = new Set(ofUpstreams.flatMap(({ models }) => models))
  const unlisted = [...seen].filter(([name]) => !listed.has(name) && (model === undefined || name === model))
  return [
    serving,
    // Not every key may list the keys.
    ...keyChecks(await keys.list().catch(() => [])),
    ...others,
    ...ofUpstreams.flatMap(({ checks }) => checks),
    ...unlisted.flatMap(([name, window]) => cutCheck(name, window) ?? []),
    ...(await counterChecks(archive)),
    ...(await toolChecks(connection)),
    ...(await storeChecks(connection)),
  ]
}

/** What can be checked if the record cannot be opened. */
export async function examineWithoutRecord(
  config: Config,
  { problem, fix }: MinutebookError,
  model: string | undefined,
): Promise<Check[]> {
  const upstreams = upstreamsOf(config.upstreams).all
  const found = await Promise.all(upstreams.map((upstream) => examineUpstream(config, upstream, model, new Map())))
  return [...found.flatMap(({ checks }) => checks), bad('store', problem, fix)]
}

/** The upstreams of the running server, which may have been started with other settings. */
async function upstreamsIn({ config, server }: Connection): Promise<readonly [readonly Upstream[], readonly Check[]]> {
  const ours = upstreamsOf(config.upstreams).all
  const { upstreams: served } = server ? await aboutServer(server) : {}
  if (!served || served.map(({ url }) => url).join() === ours.map(({ url }) => publicUrl(url)).join()) return [ours, []]
  const known = new Map(config.upstreams.map((upstream) => [publicUrl(upstream.url), upstream]))
  const differs = ok('configuration', 'the server was started with other upstreams; those are checked')
  return [upstreamsOf(served.map((upstream) => ({ ...known.get(upstream.url), ...upstream }))).all, [differs]]
}

const mostModels = 12

/** The checks of an upstream, and the models whose windows are among them. */
interface ExaminedUpstream {
  readonly checks: readonly Check[]
  readonly models: readonly string[]
}

async function examineUpstream(
  config: Config,
  upstream: Upstream,
  named: string | undefined,
  seen: ReadonlyMap<string, SeenWindow>,
): Promise<ExaminedUpstream> {
  const look = await lookAt(upstream)
  const checks = upstreamChecks(look)
  if (look.kind === undefined) return { checks, models: [] }
  const upstreamClient = createUpstreamClient()
  try {
    const windows = createWindows(config.models, upstreamClient, { load: false })
    const models = named === undefined ? look.models.slice(0, mostModels) : [named]
    for (const model of models) {
      checks.push(await windowCheck(windows, upstream, look, { model, seen: seen.get(model) }))
      // Testing a template loads the model, which may unload another one.
      if (named !== undefined || look.kind !== 'Ollama' || look.loaded.includes(model))
        checks.push(await templateCheck(upstream, look, model, configuredFor(config.models, model)))
    }
    return { checks, models }
  } finally {
    await upstreamClient.close()
  }
}
