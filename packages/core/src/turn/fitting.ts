import { calibrated } from '../count/calibration.ts'
import type { TokenCounter } from '../count/tokens.ts'
import type { ContextOverflow } from '../models/overflow.ts'

/** What a prompt is made for after a server refused one as longer than its window. */
export interface Fitting {
  /** The window that the server told. */
  readonly window: number
  readonly reserve?: number | undefined
  /** What we counted in the prompt that was refused, and what the server did, if that is more. */
  readonly counted?: { readonly predicted: number; readonly reported: number } | undefined
}

/** `predicted`: what we counted in the prompt that was refused. */
export function fittingFor({ window, reserve }: Pick<Fitting, 'window' | 'reserve'>, told: ContextOverflow, predicted: number): Fitting {
  // A server that does not say what it counted has counted more than it has room for.
  const prompt = told.prompt ?? told.window ?? 0
  return { window, ...(reserve !== undefined && { reserve }), ...(prompt > predicted && { counted: { predicted, reported: prompt } }) }
}

/** The counter, scaled so that it counts at least what the server counted. */
export function recounting({ counted }: Fitting, counter: TokenCounter): TokenCounter {
  return counted ? calibrated(counter, [counted]) : counter
}
