import { environmentOf } from './environment.ts'
import { stepIn, type Effect, type Outcome, type Played, type RunEvent, type StepBegun, type TurnPlace } from './event.ts'
import type { Experiment, Goal } from './experiment.ts'
import { spendingOf } from './spending.ts'
import { standingOf } from './standing.ts'
import { toldBy } from './tell.ts'
import { createWork } from './work.ts'

/** What a run needs next: a step begun, turns played, the step's end, its own end, or nothing. */
export type Move =
  | { readonly do: 'step'; readonly step: number }
  /** `isHeld`: those that are under way may end, and no other begins. */
  | { readonly do: 'play'; readonly turns: readonly Attempt[]; readonly isHeld: boolean }
  | { readonly do: 'finish'; readonly step: number }
  | { readonly do: 'end'; readonly outcome: Outcome; readonly reason: string }
  | { readonly do: 'rest' }

/** A turn, and how often it was tried before. */
export interface Attempt extends TurnPlace {
  readonly attempt: number
}

/**
 * What comes next in a run, from its events alone: whoever reads them after a crash knows how to go on.
 *
 * @example
 * nextMove(experiment, events).do // 'step' right after the beginning
 */
export function nextMove(experiment: Experiment, events: readonly RunEvent[]): Move {
  const { status, step, isStepped } = standingOf(events)
  if (status === 'stopping') return { do: 'end', outcome: 'stopped', reason: 'Somebody stopped it.' }
  const isHeld = status === 'paused'
  if (isHeld ? isStepped : status !== 'running') return { do: 'rest' }
  if (isStepped) return endOf(experiment, events, step) ?? { do: 'step', step: step + 1 }
  const turns = dueTurns(experiment, stepIn(events, step)!, events)
  if (isHeld) return turns.length > 0 ? { do: 'play', turns, isHeld } : { do: 'rest' }
  const failed = failureIn(experiment, events, step)
  if (failed) return failed
  if (turns.length === 0) return { do: 'finish', step }
  return spent(experiment, events) ?? { do: 'play', turns, isHeld }
}

function endOf(experiment: Experiment, events: readonly RunEvent[], step: number): Move | undefined {
  const { goals = {}, limits = {} } = experiment
  const environment = environmentOf(events)
  const work = createWork()
  const reached = (goal: Goal): boolean => goal.when(environment, { step, work })
  const failure = goals.failure?.find(reached)
  if (failure) return { do: 'end', outcome: 'failure', reason: `${failure.name} was reached after step ${step}.` }
  const success = goals.success?.find(reached)
  if (success) return { do: 'end', outcome: 'success', reason: `${success.name} was reached after step ${step}.` }
  if (step >= (limits.steps ?? mostSteps)) return { do: 'end', outcome: 'limit', reason: `${step} steps were played, as many as are allowed.` }
  return spent(experiment, events)
}

function spent(experiment: Experiment, events: readonly RunEvent[]): Move | undefined {
  const { tokens = Infinity, cost = Infinity } = experiment.limits ?? {}
  const [begun] = events
  if (begun?.type !== 'begun') return undefined
  const spending = spendingOf(begun, events)
  const used = spending.prompt + spending.completion
  if (used >= tokens) return { do: 'end', outcome: 'limit', reason: `${used} tokens were used of ${tokens}.` }
  if ((spending.cost ?? 0) >= cost) return { do: 'end', outcome: 'limit', reason: `${spending.cost} was spent of ${cost}.` }
  return undefined
}

/** The end of a run in which a participant failed too often. Whoever has it go on nevertheless begins to count anew. */
function failureIn({ limits = {} }: Experiment, events: readonly RunEvent[], step: number): Move | undefined {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'retried') + 1)
  // What somebody cancelled did not fail.
  const failed = since.filter((event): event is Played => event.type === 'played' && event.step === step && event.status === 'failed')
  for (const { participant, turn } of failed) {
    const times = failed.filter((other) => other.participant === participant && other.turn === turn)
    const reason = times.at(-1)?.reason
    if (times.length >= (limits.errors ?? mostErrors)) return { do: 'end', outcome: 'error', reason: `${participant} failed ${times.length} times at step ${step}${reason ? `: ${reason.message}` : '.'}` }
  }
  return undefined
}

/** The turns that can be played now. */
function dueTurns(experiment: Experiment, { step, play, order }: StepBegun, events: readonly RunEvent[]): readonly Attempt[] {
  const played = events.filter((event): event is Played => event.type === 'played' && event.step === step)
  const attempt = (place: TurnPlace): number => played.filter(({ participant, turn }) => participant === place.participant && turn === place.turn).length
  const isDone = (place: TurnPlace): boolean => played.some((event) => event.participant === place.participant && event.turn === place.turn && !isVain(event))
  const planned = play === 'addressed' ? addressed(experiment, step, order, events) : order.map((participant) => ({ step, participant, turn: 0 }))
  const due = planned.filter((place) => !isDone(place)).map((place) => ({ ...place, attempt: attempt(place) }))
  return play === 'parallel' ? due : due.slice(0, 1)
}

/** Who plays in a step where one addresses the next: those that have played, and the one that is next. */
function addressed({ limits = {} }: Experiment, step: number, order: readonly string[], events: readonly RunEvent[]): readonly TurnPlace[] {
  const most = limits.turns ?? order.length * 4
  const turns: TurnPlace[] = []
  let waiting = order.slice(0, 1)
  while (waiting.length > 0 && turns.length < most) {
    const [participant, ...others] = waiting as [string, ...string[]]
    const turn = turns.filter((before) => before.participant === participant).length
    turns.push({ step, participant, turn })
    const isOver = events.some((event) => event.type === 'played' && event.step === step && event.participant === participant && event.turn === turn && !isVain(event))
    if (!isOver) return turns
    const made = events.filter((event): event is Effect => event.type === 'effect' && event.step === step && event.participant === participant && event.turn === turn)
    waiting = [...new Set([...others, ...made.flatMap((effect) => toldBy(effect)?.to ?? []).filter((to) => order.includes(to))])]
  }
  return turns
}

export function isVain({ status }: Played): boolean {
  return status === 'failed' || status === 'cancelled'
}

const mostSteps = 100
const mostErrors = 3
