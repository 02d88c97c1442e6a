import type { WindowLimit } from 'minutebook/inspect'
import type { Caller } from '../config/caller.ts'
import type { Services } from '../services.ts'
import type { Setup } from '../stores/setup.ts'
import type { Window } from '../upstream/window.ts'
import { chooseModel } from './models.ts'

/** A window that a thread asks for and does not get, as the API reports it. */
export interface TurnWindowLimit extends WindowLimit {
  /** For people: what was asked for, what there is, which source says so, and what to do. */
  readonly reason: string
}

/**
 * What a thread asks for beyond the window of its model; undefined if it gets what it asks for, or if the window is
 * unknown. The operator sets what a model has at most: a thread can only have less.
 *
 * @example
 * windowLimitOf(4096, { window: 2048, source: '/api/ps' }) // { asked: 4096, given: 2048, source: '/api/ps' }
 */
export function windowLimitOf(
  asked: number | undefined,
  { window, source }: Pick<Window, 'window' | 'source'>,
): WindowLimit | undefined {
  return asked === undefined || asked <= window || source === 'assumed' ? undefined : { asked, given: window, source }
}

/** The same for a setup, as it would be for a turn right now. Undefined if no model can be chosen. */
export async function windowLimitFor(
  services: Services,
  { tenant, name: owner }: Pick<Caller, 'tenant' | 'name'>,
  { model: named, window: asked }: Setup,
): Promise<WindowLimit | undefined> {
  if (asked === undefined) return undefined
  const chosen = await chooseModel(services, named).catch(() => undefined)
  return chosen && windowLimitOf(asked, await services.windows.of({ ...chosen, tenant, owner }))
}

export function toldWindowLimit(shortfall: WindowLimit): TurnWindowLimit {
  return { ...shortfall, reason: windowLimitText(shortfall) }
}

/** For people. */
export function windowLimitText({ asked, given, source }: WindowLimit): string {
  return `A window of ${grouped(asked)} tokens was asked for, but the model has ${grouped(given)} (source: ${source}). To get more, give the model server a larger window, or set "window" or "num_ctx" of this model in the settings.`
}

function grouped(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
