import { deciderText } from '@minutebook/inspect'
import type { Decision, FirstDecision } from '../api/waiting.ts'
import { durationOf, readable } from '../ui/text.ts'

const done = { run: 'approved', refuse: 'refused', answer: 'answered' }

/**
 * What was decided here, in a sentence.
 *
 * @example
 * outcomeText({ do: 'refuse', reason: 'Too dear' }) // 'Refused: Too dear'
 */
export function outcomeText(decision: Decision): string {
  if (decision.do === 'run') return decision.input === undefined ? 'Approved' : 'Approved with the edited input'
  if (decision.do === 'answer') return `Answered: ${brief(decision.output)}`
  return decision.reason === undefined ? 'Refused' : `Refused: ${brief(decision.reason)}`
}

/**
 * What another person decided before, in a sentence.
 *
 * @example
 * firstText({ decision: { do: 'run' }, by: 'ann' }, now) // 'ann has approved this call already. The first decision counts.'
 */
export function firstText({ decision, by, via, time }: FirstDecision, now: number): string {
  const when = time === undefined ? 'already' : `already, ${agoText(time, now)}`
  const decided = done[decision.do]
  const decider = deciderText({ by, via })
  const who = decider === undefined ? `This call was ${decided}` : `${readable(decider)} has ${decided} this call`
  return `${who} ${when}. The first decision counts.`
}

/**
 * What a person has typed for a decision. Undefined if nothing was.
 *
 * @example
 * typedText({ do: 'refuse', reason: 'Too dear' }) // 'Too dear'
 */
export function typedText(decision: Decision): string | undefined {
  if (decision.do === 'refuse') return decision.reason
  if (decision.do === 'run') return decision.input === undefined ? undefined : JSON.stringify(decision.input, null, 2)
  return typeof decision.output === 'string' ? decision.output : JSON.stringify(decision.output, null, 2)
}

/** How long ago a time was: "3 minutes ago". */
export function agoText(time: string, now: number): string {
  const passed = now - Date.parse(time)
  return passed < 60_000 ? 'just now' : `${durationOf(passed)} ago`
}

interface Deadline {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isOver: boolean
  readonly text: string
}

/**
 * Until when a call can be decided. Undefined if there is no such time.
 *
 * @example
 * deadlineOf({ since, within: 3_600_000 }, Date.now())?.text // '57 minutes left'
 */
export function deadlineOf(
  { since, within }: { readonly since?: string; readonly within?: number },
  now: number,
): Deadline | undefined {
  if (since === undefined || within === undefined) return undefined
  const at = Date.parse(since) + within
  const left = at - now
  if (left <= 0) return { at, isOver: true, text: 'its time is over' }
  return { at, isOver: false, text: `${left < 60_000 ? 'less than a minute' : durationOf(left)} left` }
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return readable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

const longest = 200
