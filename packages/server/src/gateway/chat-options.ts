import type { Model } from 'minutebook'
import type { Caller } from '../config/caller.ts'
import type { ProtocolName } from '../config/settings.ts'
import type { Services } from '../services.ts'
import { policyOf } from '@minutebook/experiment/run'
import { configuredFor, type Window } from '../upstream/window.ts'
import type { RequestHeaders } from './request-headers.ts'
import { namedModel, type ThreadOpening } from './thread-cache.ts'

/** What a request says about its thread. */
export interface ChatTerms extends Pick<RequestHeaders, 'policy'> {
  readonly caller: Pick<Caller, 'tenant' | 'name'>
  readonly model: string
  readonly protocol: ProtocolName
  /** The shape of its messages. Default: that of the protocol. */
  readonly wire?: Model['wire']
  /** Whether a model can be asked for notes to self in this protocol. Default: true. */
  readonly takesNotes?: boolean | undefined
  readonly window: Window
  /** About how much is in the thread. */
  readonly size: ThreadOpening['size']
  /** Our text that comes first. If it is empty, an earlier one no longer applies. */
  readonly system?: string | undefined
}

/** How a thread is opened, by the settings, the model and the client. */
export async function chatThreadOptions(
  { config, calibrations }: Pick<Services, 'config' | 'calibrations'>,
  terms: ChatTerms,
): Promise<ThreadOpening> {
  const {
    caller: { tenant, name: owner },
    model,
    protocol,
    wire = protocol,
    takesNotes = true,
    window: { window, reserve, source: windowSource },
    size,
    policy: wished,
    system,
  } = terms
  const { profile } = configuredFor(config.models, model)
  const counter = await calibrations.counter({ tenant, owner, model })
  const policy = wished?.policy ?? policyOf(config.policy)
  const notes = config.policy.notes && takesNotes ? 'block' : 'off'
  const journal = config.policy.journal ?? false
  return {
    options: {
      model: namedModel(model, wire),
      window,
      windowSource,
      reserve,
      policy,
      counter,
      profile,
      notes,
      journal,
      system,
      sizeLimit: config.threadLimit,
    },
    signature: JSON.stringify([wire, model, window, windowSource, reserve, wished?.name, counter.name, system]),
    size,
  }
}
