import { checkedCount, overheadOf, type TokenCounter } from '../count/tokens.ts'
import type { Entry } from '../log/entry.ts'
import type { Place } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { printedArguments } from './arguments.ts'
import { framing, listed, quoted } from './framing.ts'
import { systemOnlyFirst, type Profile } from './profile.ts'

/** What everything costs under one counter and one profile. */
export interface Prices {
  readonly counter: TokenCounter
  readonly profile: Profile
  readonly message: number
  readonly prompt: number
  readonly call: number
  readonly image: number
  /** The result that stands in for one that never came. */
  readonly interrupted: number
  /** What each block of ours costs before its first line. */
  readonly outline: number
  readonly steps: number
  readonly recall: number
  readonly notes: number
  /** What each note costs beside its text, under one heading with others. */
  readonly note: number
}

/** An entry's tokens. Text is apart because it alone can be clipped, reasoning because it can be dropped. */
export interface Cost {
  readonly text: number
  readonly reasoning: number
  readonly rest: number
}

export function pricesOf(counter: TokenCounter, profile: Profile): Prices {
  const { message, prompt, call, image } = overheadOf(counter)
  // Where messages are merged, the blank line between two may cost more than the overhead it saves.
  const merged = message + Math.max(0, checkedCount(counter, '\n\n') - message)
  const opening = profile.mustAlternate || profile.needsUser ? merged + checkedCount(counter, framing.opening) : 0
  const each = systemOnlyFirst(profile) ? merged : message
  return {
    counter,
    profile,
    message: each,
    prompt: prompt + opening,
    call,
    image,
    outline: each + checkedCount(counter, framing.outline),
    steps: each + checkedCount(counter, framing.steps),
    recall: each + checkedCount(counter, framing.recall) + checkedCount(counter, framing.recallEnd),
    notes: each + checkedCount(counter, framing.notes),
    note: checkedCount(counter, `\n\n${framing.note}`),
    interrupted: each + checkedCount(counter, framing.interrupted),
  }
}

/** What the entry costs where it stands in the log. The only place where an entry's whole text is counted. */
export function costOf(entry: Entry, place: Place, afterCalls: boolean, prices: Prices): Cost {
  const { counter, profile } = prices
  const count = (text: string): number => checkedCount(counter, text)
  let rest = prices.message + entry.images.length * prices.image
  for (const call of entry.calls) rest += callCost(call, prices)
  if (profile.oneCallAtATime) rest += Math.max(0, entry.calls.length - 1) * prices.message
  if (profile.callsWithoutText && entry.calls.length > 0) rest += prices.message + count(framing.said)
  if (place.orphan) rest += count(framing.orphan(entry.answers?.name))
  if (!traits[entry.kind].chained) rest += count(framing.notes)
  if (afterCalls && wantsAnswer(entry, place, profile)) rest += prices.message + count(framing.unanswered)
  return { text: count(entry.text) + setIn(entry, place, profile), reasoning: entry.reasoning ? count(entry.reasoning) : 0, rest }
}

/** Whether an answer is put before it, after a result: it stands under the user role, or is an answer that is left out because it says nothing. */
function wantsAnswer(entry: Entry, place: Place, profile: Profile): boolean {
  if (!profile.answerAfterTool && !profile.mustAlternate) return false
  if (entry.kind === 'user' || place.orphan) return true
  return traits[entry.kind].chained ? profile.normalized === true && entry.text === '' : systemOnlyFirst(profile)
}

/** A text that is quoted has lines set in by a blank, which may be a token each. It goes with the text, for a clip pays for its own. */
function setIn(entry: Entry, place: Place, profile: Profile): number {
  if (!traits[entry.kind].chained) return listed(entry.text).length - entry.text.length
  const asText = profile.noTools && entry.kind === 'tool'
  const besideCalls = profile.callsWithoutText && entry.calls.length > 0
  const isQuoted = place.orphan || asText || besideCalls
  return isQuoted ? quoted(entry.text).length - entry.text.length : 0
}

/** A call with what stands around it; as text, with the head of its result too, which comes or is put there. */
function callCost(call: Call, { counter, profile, call: overhead, message }: Prices): number {
  const count = (text: string): number => checkedCount(counter, text)
  if (!profile.noTools) return count(call.name) + count(printedArguments(call, profile)) + overhead
  return message + count(framing.call(call.name, quoted(argumentsText(call)))) + count(framing.result(call.name))
}
