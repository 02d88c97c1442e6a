import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { estimator, MinutebookError, type TokenCounter } from 'minutebook'

/**
 * The counter that a model's settings name: `estimate`, `o200k` or the path of a tokenizer.json. Loaded once by whoever
 * keeps it. Throws where a package or the file is missing, and says what to do.
 *
 * @example
 * const counter = await loadCounter(config.models['gpt-oss:20b']?.counter)
 */
export async function loadCounter(setting = 'estimate'): Promise<TokenCounter> {
  if (setting === 'estimate') return estimator
  try {
    return (await loaders.get(setting)?.()) ?? (await fromFile(setting))
  } catch (error) {
    const [why, fix] = reason(error)
    const counter = basename(setting)
    throw new MinutebookError('no_counter', `The counter ${counter} cannot be loaded: ${why}.`, fix, { counter })
  }
}

const loaders: ReadonlyMap<string, () => Promise<TokenCounter>> = new Map([
  ['o200k', async () => (await import('minutebook/gpt-tokenizer')).gptTokenizer()],
])

async function fromFile(path: string): Promise<TokenCounter> {
  const json: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (typeof json !== 'object' || json === null) throw new SyntaxError()
  const { huggingFaceTokenizer } = await import('minutebook/huggingface')
  return huggingFaceTokenizer(json, { name: basename(dirname(path)) || 'huggingface' })
}

function reason(error: unknown): [why: string, fix: string] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_MODULE_NOT_FOUND')
    return [
      'its package is not installed',
      'Install gpt-tokenizer@4 (o200k) or @huggingface/tokenizers (a tokenizer.json) next to Minutebook.',
    ]
  const fix = 'Correct counter in the settings of the model.'
  return [code === 'ENOENT' ? 'there is no such file' : 'it is not a tokenizer.json', fix]
}
