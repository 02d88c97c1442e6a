import type { Upstream, Windows } from '@minutebook/server'
import { figure } from '../figures.ts'
import type { UpstreamLook } from '../upstream-look.ts'
import { ok, warn, type Check } from './check.ts'

/** The window that a model really has, and who says so. */
export async function windowCheck(windows: Windows, upstream: Upstream, look: UpstreamLook, model: string): Promise<Check> {
  const { window, source } = await windows.of({ upstream, model, protocol: look.kind === 'Ollama' ? 'ollama' : 'openai' })
  const says = `${model}: ${figure(window)} tokens, by ${sources[source] ?? source}`
  if (source !== 'default') return ok('window', says)
  if (look.kind === 'Ollama' && !look.loaded.includes(model)) return ok('window', `${says}, until it is loaded and tells`)
  return warn('window', says, `Nobody says how large it is: set models.${model}.window to what the upstream gives it.`)
}

const sources: Readonly<Record<string, string>> = {
  configuration: 'the configuration',
  '/api/ps': 'Ollama, which has it loaded (/api/ps)',
  'model file': "the model's own file (num_ctx)",
  '/props': 'llama.cpp (/props)',
  default: 'default',
}
