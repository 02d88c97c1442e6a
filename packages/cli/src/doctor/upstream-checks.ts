import type { Upstream, Windows } from '@minutebook/server'
import type { WindowSource } from 'minutebook/wire'
import { figure } from '../terminal/text.ts'
import { bad, type Check, ok, warn } from './check.ts'
import { cutCheck, uncutText, type SeenWindow } from './cut-prompts.ts'
import { askUpstream, unlistedBy, type UpstreamLook } from './upstream-look.ts'

/** Whether an upstream answers, what it is, what it has, and whether its clock and ours agree. */
export function upstreamChecks({
  url,
  kind,
  version,
  models,
  loaded,
  unlisted,
  why,
  ahead = 0,
}: UpstreamLook): Check[] {
  if (unlisted !== undefined) {
    const { says, fine, fix } = unlistedBy(unlisted)
    return [warn('upstream', `${url} ${says}; ${fine}`, fix), ...skew(url, ahead)]
  }
  if (kind === undefined) {
    return [
      bad(
        'upstream',
        `${url} does not answer (${why ?? 'no answer'})`,
        'Start it (for example: ollama serve), or name another: minutebook serve --upstream, upstreams in minutebook.yaml, or MINUTEBOOK_UPSTREAMS.',
      ),
    ]
  }
  const found =
    models.length === 0
      ? warn(
          'models',
          `${url} has none`,
          kind === 'Ollama' ? 'Get one, for example: ollama pull gemma3:4b' : 'Start the upstream with a model.',
        )
      : ok(
          'models',
          `${listed(models)}${kind === 'Ollama' ? ` · loaded: ${loaded.length === 0 ? 'none' : listed(loaded)}` : ''}`,
        )
  return [ok('upstream', `${url} is ${kind}${version ? ` ${version}` : ''}`), found, ...skew(url, ahead)]
}

const tolerated = 60_000

function skew(url: string, ahead: number): Check[] {
  if (Math.abs(ahead) <= tolerated) return []
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return [
    warn(
      'clock',
      `${url} is ${seconds} seconds ${ahead > 0 ? 'ahead of' : 'behind'} this machine`,
      'Set the clock of one of them: recorded times are those of this machine.',
    ),
  ]
}

function listed(names: readonly string[]): string {
  return names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`
}

/**
 * The window that a model has by what its server states, the source of that number, what was seen of it in calls, and
 * how to get a larger one.
 */
export async function windowCheck(
  windows: Windows,
  upstream: Upstream,
  look: UpstreamLook,
  { model, seen }: { readonly model: string; readonly seen: SeenWindow | undefined },
): Promise<Check> {
  const isOllama = look.kind === 'Ollama'
  const { window, source } = await windows.of({
    tenant: 'default',
    owner: '',
    upstream,
    model,
    protocol: isOllama ? 'ollama' : 'openai',
  })
  const isLoaded = look.loaded.includes(model)
  const stated = `${model}: ${figure(window)} tokens, by ${sources[source]}`
  const cut = cutCheck(model, seen, source === 'assumed' ? undefined : stated)
  if (cut) return cut
  if (source === 'assumed' && isOllama && !isLoaded)
    return ok('window', `${model}: unknown until Ollama has loaded it${await canTake(upstream, model)}`)
  if (source === 'assumed')
    return warn(
      'window',
      `${model}: unknown. Messages of clients are sent unchanged; prompts of Minutebook are built for ${figure(window)} tokens`,
      `The upstream does not report it. Write into minutebook.yaml what it was started with: ${setting(model, 'window', 32_768)}`,
    )
  const says = stated + uncutText(seen)
  if (!isOllama) return ok('window', says)
  if (source === 'configuration' || source === 'model file' || window > usual) return ok('window', says)
  const most = await mostOf(upstream, model)
  if (most <= window) return ok('window', says)
  return warn(
    'window',
    `${says}; it can take ${figure(most)}`,
    `For more, write into minutebook.yaml what your memory allows: ${setting(model, 'num_ctx', Math.min(most, 4 * window))}`,
  )
}

/** The default window of Ollama. */
const usual = 4096

/** The largest window of a model that is not loaded, as text. */
async function canTake(upstream: Upstream, model: string): Promise<string> {
  const most = await mostOf(upstream, model)
  return most > 0 ? `; it can take ${figure(most)} (models.${model}.num_ctx)` : ''
}

const sources: Readonly<Record<WindowSource, string>> = {
  request: 'the request',
  configuration: 'the configuration',
  '/api/ps': 'Ollama, which has it loaded (/api/ps)',
  'model file': "the model's own file (num_ctx)",
  '/props': 'llama.cpp (/props)',
  '/v1/models': 'its list of models (/v1/models)',
  '/api/v0/models': 'LM Studio, which has it loaded (/api/v0/models)',
  refusal: 'its refusal of a longer prompt',
  read: 'its counts of prompts that it truncated',
  assumed: 'no source',
}

function setting(model: string, name: string, tokens: number): string {
  return `models: { ${JSON.stringify(model)}: { ${name}: ${tokens} } }`
}

/** The largest window that the model was made for. 0 if unknown. */
async function mostOf(upstream: Upstream, model: string): Promise<number> {
  const { json } = await askUpstream(upstream, '/api/show', 2000, { model })
  const info = Object((Object(json) as { readonly model_info?: unknown }).model_info) as Readonly<
    Record<string, unknown>
  >
  const most = info[`${String(info['general.architecture'])}.context_length`]
  return typeof most === 'number' && Number.isSafeInteger(most) ? most : 0
}
