import type { ModelConfig } from '../config.ts'
import type { Found } from './probe.ts'

/** Who said how large a window is. */
export type WindowSource = 'request' | 'configuration' | '/api/ps' | 'model file' | '/props' | 'default' | 'read'

export interface Window {
  /** Tokens that prompt and answer have together. */
  readonly window: number
  readonly source: WindowSource
  /** What was said, if the server was seen to read less. */
  readonly told?: { readonly window: number; readonly source: WindowSource } | undefined
  /** Tokens to keep for the answer, at most half of the window; undefined: as the policy has it. */
  readonly reserve?: number | undefined
  /** What the operator wants in every request to `/api/chat`. */
  readonly numCtx?: number | undefined
}

/** What is known before anybody is asked. */
export interface WindowTerms {
  readonly numCtx?: number | undefined
  readonly output?: number | undefined
  readonly configured: ModelConfig
  /** Whether the protocol has a num_ctx. */
  readonly takesNumCtx: boolean
}

/** Where the operator says the window itself, and the request says nothing, nobody needs to be asked. */
export function fixedWindow(terms: WindowTerms): Window | undefined {
  const { window } = terms.configured
  const isAsked = terms.takesNumCtx && terms.numCtx !== undefined && terms.configured.num_ctx === undefined
  return window === undefined || isAsked ? undefined : windowOf(terms, window, 'configuration')
}

/** The first that says something wins. What the model can take at most is a limit to all. */
export function decideWindow(terms: WindowTerms, found: Found): Window {
  const { configured, numCtx } = terms
  const limit = found.limit ?? Infinity
  // The operator's num_ctx goes out with every request, whatever the request had.
  const ours = terms.takesNumCtx ? configured.num_ctx : undefined
  const candidates: readonly (readonly [number | undefined, WindowSource])[] = [
    [ours === undefined && terms.takesNumCtx ? numCtx : undefined, 'request'],
    [configured.window ?? ours, 'configuration'],
    [found.loaded, '/api/ps'],
    [found.file, 'model file'],
    [found.props, '/props'],
  ]
  for (const [tokens, source] of candidates) if (isSize(tokens)) return windowOf(terms, Math.min(tokens, limit), source)
  return windowOf(terms, Math.min(4096, limit), 'default')
}

function windowOf({ output, configured, takesNumCtx }: WindowTerms, window: number, source: WindowSource): Window {
  const wanted = isSize(output) ? output : configured.reserve
  return {
    window,
    source,
    ...(wanted !== undefined && { reserve: Math.min(wanted, Math.floor(window / 2)) }),
    ...(takesNumCtx && configured.num_ctx !== undefined && { numCtx: configured.num_ctx }),
  }
}

/** Ollama has 0 and less for "as it is" and "without end". */
function isSize(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0
}
