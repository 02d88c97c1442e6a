import type { Upstream, Windows } from '@minutebook/server'
import type { WindowSource } from 'minutebook/wire'
import { figure } from '../figures.ts'
import { askUpstream, type UpstreamLook } from '../upstream-look.ts'
import { ok, warn, type Check } from './check.ts'

/** The window that a model really has, who says so, and how it gets a larger one. */
export async function windowCheck(
  windows: Windows,
  upstream: Upstream,
  look: UpstreamLook,
  model: string,
): Promise<Check> {
  const isOllama = look.kind === 'Ollama'
  const { window, source } = await windows.of({
    tenant: 'default',
    upstream,
    model,
    protocol: isOllama ? 'ollama' : 'openai',
  })
  const isLoaded = look.loaded.includes(model)
  if (source === 'assumed' && isOllama && !isLoaded)
    return ok('window', `${model}: unknown until Ollama has loaded it${await canTake(upstream, model)}`)
  if (source === 'assumed')
    return warn(
      'window',
      `${model}: unknown. Messages of clients go unchanged; for prompts of ours ${figure(window)} tokens are assumed`,
      `Nobody says how large it is. Write into minutebook.yaml what the upstream was started with: ${setting(model, 'window', 32_768)}`,
    )
  const says = `${model}: ${figure(window)} tokens, by ${sources[source]}`
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

/** What Ollama gives where nobody asks for more. */
const usual = 4096

/** What a model that is not loaded was made for. */
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
  read: 'its counts of prompts that it cut',
  assumed: 'nobody',
}

function setting(model: string, name: string, tokens: number): string {
  return `models: { ${JSON.stringify(model)}: { ${name}: ${tokens} } }`
}

/** What the model was made for; 0 where nobody tells. */
async function mostOf(upstream: Upstream, model: string): Promise<number> {
  const { json } = await askUpstream(upstream, '/api/show', 2000, { model })
  const info = Object((Object(json) as { readonly model_info?: unknown }).model_info) as Readonly<
    Record<string, unknown>
  >
  const most = info[`${String(info['general.architecture'])}.context_length`]
  return typeof most === 'number' && Number.isSafeInteger(most) ? most : 0
}
