import { assumedWindow, type FoundWindow, type WindowSource } from 'minutebook/wire'
import type { ModelConfig } from '../config.ts'
import type { LearntWindow } from './learnt.ts'

export interface Window {
  /** Tokens that prompt and answer have together. */
  readonly window: number
  /**
   * Who says so. `assumed`: nobody; what a client sends goes unchanged then, and prompts of ours are made for this
   * size.
   */
  readonly source: WindowSource
  /** What was said, if the server was seen to read less. */
  readonly told?: { readonly window: number; readonly source: WindowSource } | undefined
  /** Tokens to keep for the answer, at most half of the window; undefined: as the policy has it. */
  readonly reserve?: number | undefined
  /** What the operator wants in every request to `/api/chat`. */
  readonly numCtx?: number | undefined
}

/** The window as somebody told it, also if the server was seen to read less: what its counts are looked at by. */
export function toldWindow({ told, window, source }: Window): Pick<Window, 'window' | 'source'> {
  return told ?? { window, source }
}

/** What is known before anybody is asked. */
export interface WindowTerms {
  readonly numCtx?: number | undefined
  readonly output?: number | undefined
  readonly configured: ModelConfig
  /** Whether the protocol has a num_ctx. */
  readonly takesNumCtx: boolean
}

/** Whether the operator says the window itself and the request says nothing, so that nobody needs to be asked. */
export function isFixed({ configured, takesNumCtx, numCtx }: WindowTerms): boolean {
  const isAsked = takesNumCtx && numCtx !== undefined && configured.num_ctx === undefined
  return configured.window !== undefined && !isAsked
}

/**
 * The first that says something counts. What the model can take at most is a limit to all, and so is what its upstream
 * has shown.
 */
export function decideWindow(terms: WindowTerms, found: FoundWindow, learnt: LearntWindow | undefined): Window {
  const { configured, numCtx } = terms
  const limit = isFixed(terms) ? Infinity : (found.limit ?? Infinity)
  // The operator's num_ctx goes out with every request, whatever the request had.
  const ours = terms.takesNumCtx ? configured.num_ctx : undefined
  const candidates: readonly (readonly [number | undefined, WindowSource | undefined])[] = [
    [ours === undefined && terms.takesNumCtx ? numCtx : undefined, 'request'],
    [configured.window ?? ours, 'configuration'],
    [found.window, found.source],
  ]
  const [tokens, source] = candidates.find(([size]) => isSize(size)) ?? []
  if (learnt && (tokens === undefined || learnt.window < Math.min(tokens, limit)))
    return windowOf(terms, learnt.window, learnt.source)
  return tokens === undefined || source === undefined
    ? windowOf(terms, Math.min(assumedWindow, limit), 'assumed')
    : windowOf(terms, Math.min(tokens, limit), source)
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
