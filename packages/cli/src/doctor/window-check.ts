import type { Upstream, Windows } from '@minutebook/server'
import { figure } from '../figures.ts'
import { askUpstream, type UpstreamLook } from '../upstream-look.ts'
import { ok, warn, type Check } from './check.ts'

/** The window that a model really has, who says so, and how it gets a larger one. */
export async function windowCheck(windows: Windows, upstream: Upstream, look: UpstreamLook, model: string): Promise<Check> {
  const isOllama = look.kind === 'Ollama'
  const { window, source } = await windows.of({ upstream, model, protocol: isOllama ? 'ollama' : 'openai' })
  const says = `${model}: ${figure(window)} tokens, by ${sources[source] ?? source}`
  if (!isOllama) return source === 'default' ? warn('window', says, `Nobody says how large it is. Write into minutebook.yaml what the upstream was started with: ${setting(model, 'window', 32_768)}`) : ok('window', says)
  if (source === 'configuration' || source === 'model file' || window > usual) return ok('window', says)
  const most = await mostOf(upstream, model)
  if (!look.loaded.includes(model)) return ok('window', `${says}, until it is loaded and tells${most > window ? `; it can take ${figure(most)} (models.${model}.num_ctx)` : ''}`)
  if (most <= window) return ok('window', says)
  return warn('window', `${says}; it can take ${figure(most)}`, `For more, write into minutebook.yaml what your memory allows: ${setting(model, 'num_ctx', Math.min(most, 4 * window))}`)
}

/** What Ollama gives where nobody asks for more. */
const usual = 4096

const sources: Readonly<Record<string, string>> = {
  configuration: 'the configuration',
  '/api/ps': 'Ollama, which has it loaded (/api/ps)',
  'model file': "the model's own file (num_ctx)",
  '/props': 'llama.cpp (/props)',
  read: 'what it was seen to read',
  default: 'default',
}

function setting(model: string, name: string, tokens: number): string {
  return `models: { ${JSON.stringify(model)}: { ${name}: ${tokens} } }`
}

/** What the model was made for; 0 where nobody tells. */
async function mostOf(upstream: Upstream, model: string): Promise<number> {
  const { json } = await askUpstream(upstream, '/api/show', 2000, { model })
  const info = Object((Object(json) as { readonly model_info?: unknown }).model_info) as Readonly<Record<string, unknown>>
  const most = info[`${String(info['general.architecture'])}.context_length`]
  return typeof most === 'number' && Number.isSafeInteger(most) ? most : 0
}
