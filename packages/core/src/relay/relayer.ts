import { estimator } from '../count/estimator.ts'
import type { TokenCounter } from '../count/tokens.ts'
import { canonicalJson } from '../log/canonical.ts'
import type { Message } from '../log/message.ts'
import { createMeter } from '../receipt/prediction.ts'
import type { LiveLog } from '../record/live-log.ts'
import { recounting, type Fitting } from '../turn/fitting.ts'
import type { Manner } from '../turn/running.ts'
import type { ToolSchema } from '../wire/model.ts'
import type { Relaying } from './call.ts'
import { relay, type Relay, type RelayOptions } from './relay.ts'
import { createEarlier } from './earlier.ts'
import { finderIn } from './referring.ts'

/** What a thread gives its relays. */
export interface RelayerParts {
  /** A log of their own: turns move the head of theirs. */
  readonly log: () => LiveLog
  /** Throws where there is no model or window. */
  readonly manner: (tools: readonly ToolSchema[], fitting?: Fitting) => Manner
  readonly counter: TokenCounter | undefined
  readonly system: string | undefined
}

/** Relays of one thread: what one of them has read and counted, the next need not. Any number of them may be under way at once. */
export function createRelayer(parts: RelayerParts): (messages: readonly Message[], options?: RelayOptions) => Promise<Relay> {
  const { counter = estimator, system } = parts
  let known: Pick<Relaying, 'log' | 'find' | 'meter' | 'earlier'> | undefined
  let last: { readonly text: string; readonly manner: Manner } | undefined
  return async (messages, options = {}) => {
    // Tools of a client go out as they came; of their shape only the JSON is used.
    const tools = (options.tools ?? []) as readonly ToolSchema[]
    const text = canonicalJson(tools)
    if (last?.text !== text) last = { text, manner: parts.manner(tools) }
    const { manner } = last
    if (!known) {
      const log = parts.log()
      const find = finderIn(log)
      known = { log, find, meter: createMeter(counter), earlier: createEarlier(find) }
    }
    await known.log.sync({ whole: true })
    const { log, find, earlier } = known
    const isEstimated = counter.scales !== undefined
    const refitted = (fitting: Fitting): Relaying => ({ log, find, earlier, system, isEstimated, refitted, manner: parts.manner(tools, fitting), meter: createMeter(recounting(fitting, counter)) })
    return relay({ ...known, manner, system, isEstimated, refitted }, messages, options)
  }
}
