import { environmentOf } from './environment.ts'
import type { CallInput, Experiment, ExperimentTool, Goal, Participant } from './experiment.ts'
import { createWork } from './random.ts'
import {
  roundIn,
  turnKey,
  type Begun,
  type Effect,
  type Ended,
  type Outcome,
  type Played,
  type RunEvent,
  type RoundStart,
  type TurnPlace,
} from './run-event.ts'

/** What a run needs next: a round begun, turns played, the round's end, its own end, or nothing. */
export type Move =
  | { readonly do: 'round'; readonly round: number }
  /** `isHeld`: those that are under way may end, and no other begins. */
  | { readonly do: 'play'; readonly turns: readonly Attempt[]; readonly isHeld: boolean }
  | { readonly do: 'finish'; readonly round: number }
  | { readonly do: 'end'; readonly outcome: Outcome; readonly reason: string }
  | { readonly do: 'rest' }

/** A turn, and how often it was tried before. */
export interface Attempt extends TurnPlace {
  readonly attempt: number
}

/**
 * What comes next in a run, from its events alone: a reader knows how to continue after a crash.
 *
 * @example
 * nextMove(experiment, events).do // 'round' right after the beginning
 */
export function nextMove(experiment: Experiment, events: readonly RunEvent[]): Move {
  const { status, round, isRoundOver } = standingOf(events)
  if (status === 'stopping') return { do: 'end', outcome: 'stopped', reason: 'A person stopped it.' }
  const isHeld = status === 'paused'
  if (isHeld ? isRoundOver : status !== 'running' && status !== 'waiting') return { do: 'rest' }
  if (isRoundOver) return endOf(experiment, events, round) ?? { do: 'round', round: round + 1 }
  const turns = dueTurns(experiment, roundIn(events, round)!, events)
  if (isHeld) return turns.length > 0 ? { do: 'play', turns, isHeld } : { do: 'rest' }
  const failed = failureIn(experiment, events, round)
  if (failed) return failed
  if (turns.length === 0) return { do: 'finish', round }
  return spent(experiment, events) ?? { do: 'play', turns, isHeld }
}

function endOf(experiment: Experiment, events: readonly RunEvent[], round: number): Move | undefined {
  const { goals = {}, limits = {} } = experiment
  const environment = environmentOf(events)
  const work = createWork()
  const reached = (goal: Goal): boolean => goal.when(environment, { round, work })
  const failure = goals.failure?.find(reached)
  if (failure) return { do: 'end', outcome: 'failure', reason: `${failure.name} was reached after round ${round}.` }
  const success = goals.success?.find(reached)
  if (success) return { do: 'end', outcome: 'success', reason: `${success.name} was reached after round ${round}.` }
  if (round >= (limits.rounds ?? mostRounds))
    return { do: 'end', outcome: 'limit', reason: `${round} rounds were played, as many as are allowed.` }
  return spent(experiment, events)
}

function spent(experiment: Experiment, events: readonly RunEvent[]): Move | undefined {
  const { tokens = Infinity, cost = Infinity } = experiment.limits ?? {}
  const [begun] = events
  if (begun?.type !== 'begun') return undefined
  const spending = spendingOf(begun, events)
  const used = spending.prompt + spending.completion
  if (used >= tokens) return { do: 'end', outcome: 'limit', reason: `${used} tokens were used of ${tokens}.` }
  if ((spending.cost ?? 0) >= cost)
    return { do: 'end', outcome: 'limit', reason: `${spending.cost} was spent of ${cost}.` }
  return undefined
}

/** The end of a run in which a participant failed too often. A retry starts to count again. */
function failureIn({ limits = {} }: Experiment, events: readonly RunEvent[], round: number): Move | undefined {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'retried') + 1)
  // A turn that a person cancelled did not fail.
  const failed = since.filter(
    (event): event is Played => event.type === 'played' && event.round === round && event.status === 'failed',
  )
  for (const { participant, turn } of failed) {
    const times = failed.filter((other) => other.participant === participant && other.turn === turn)
    const reason = times.at(-1)?.reason
    if (times.length >= (limits.errors ?? mostErrors))
      return {
        do: 'end',
        outcome: 'error',
        reason: `${participant} failed ${times.length} times in round ${round}${reason ? `: ${reason.message}` : '.'}`,
      }
  }
  return undefined
}

/** The turns that can be played now. */
function dueTurns(
  experiment: Experiment,
  { round, play, order }: RoundStart,
  events: readonly RunEvent[],
): readonly Attempt[] {
  const played = events.filter((event): event is Played => event.type === 'played' && event.round === round)
  const attempt = (place: TurnPlace): number =>
    played.filter(({ participant, turn }) => participant === place.participant && turn === place.turn).length
  const isDone = (place: TurnPlace): boolean =>
    played.some(
      (event) => event.participant === place.participant && event.turn === place.turn && !isUnsuccessful(event),
    )
  const planned =
    play === 'addressed'
      ? addressed(experiment, round, order, events)
      : order.map((participant) => ({ round, participant, turn: 0 }))
  const due = planned.filter((place) => !isDone(place)).map((place) => ({ ...place, attempt: attempt(place) }))
  return play === 'parallel' ? due : due.slice(0, 1)
}

/** Who plays in a round where one addresses the next: those that have played, and the one that is next. */
function addressed(
  { limits = {} }: Experiment,
  round: number,
  order: readonly string[],
  events: readonly RunEvent[],
): readonly TurnPlace[] {
  const most = limits.turns ?? order.length * 4
  const turns: TurnPlace[] = []
  let waiting = order.slice(0, 1)
  while (waiting.length > 0 && turns.length < most) {
    const [participant, ...others] = waiting as [string, ...string[]]
    const turn = turns.filter((before) => before.participant === participant).length
    turns.push({ round, participant, turn })
    const isOver = events.some(
      (event) =>
        event.type === 'played' &&
        event.round === round &&
        event.participant === participant &&
        event.turn === turn &&
        !isUnsuccessful(event),
    )
    if (!isOver) return turns
    const made = events.filter(
      (event): event is Effect =>
        event.type === 'effect' && event.round === round && event.participant === participant && event.turn === turn,
    )
    waiting = [
      ...new Set([...others, ...made.flatMap((effect) => toldBy(effect)?.to ?? []).filter((to) => order.includes(to))]),
    ]
  }
  return turns
}

export function isUnsuccessful({ status }: Played): boolean {
  return status === 'failed' || status === 'cancelled'
}

const mostRounds = 100
const mostErrors = 3

/** What model calls took. */
export interface Spending {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  /** Undefined if a model has no price. */
  readonly cost?: number
}

/** What a run took so far, or one participant of it. */
export function spendingOf(
  { participants, prices }: Pick<Begun, 'participants' | 'prices'>,
  events: readonly RunEvent[],
  only?: string,
): Spending {
  const played = events.filter(
    (event): event is Played => event.type === 'played' && (only === undefined || event.participant === only),
  )
  let [calls, prompt, completion, cost]: [number, number, number, number | undefined] = [0, 0, 0, 0]
  for (const { participant, calls: made } of played) {
    const price = prices[participants[participant] ?? '']
    for (const call of made) {
      calls++
      prompt += call.prompt
      completion += call.completion
      cost =
        price && cost !== undefined
          ? cost + (call.prompt * price.input + call.completion * price.output) / 1e6
          : undefined
    }
  }
  const isPriced = Object.keys(prices).length > 0
  return { calls, prompt, completion, ...(isPriced && cost !== undefined && { cost }) }
}

/** How a run stands. `waiting`: it goes on when a person has answered, and does nothing until then. */
export type RunStatus = 'running' | 'waiting' | 'paused' | 'stopping' | Ended['outcome']

/** How far a run is. */
export interface RunStanding {
  readonly status: RunStatus
  /** Why, if it is over. */
  readonly reason?: string
  /** The round that is played, or was last; 0 before the first. */
  readonly round: number
  /** Whether that round is over. */
  readonly isRoundOver: boolean
  /** The turns that wait for a person. */
  readonly waiting: readonly TurnPlace[]
}

/** How a run stands, by its events. */
export function standingOf(events: readonly RunEvent[]): RunStanding {
  let standing: Omit<RunStanding, 'waiting'> = { status: 'running', round: 0, isRoundOver: true }
  const waiting = new Map<string, TurnPlace>()
  let due = new Set<string>()
  for (const event of events) {
    const { round, isRoundOver } = standing
    if (event.type === 'roundStart') {
      standing = { ...standing, round: event.round, isRoundOver: false }
      due = new Set(event.play === 'parallel' ? event.order : [])
    }
    if (event.type === 'waiting') waiting.set(turnKey(event), event)
    if (event.type === 'played') {
      waiting.delete(turnKey(event))
      if (!isUnsuccessful(event)) due.delete(event.participant)
    }
    if (event.type === 'roundEnd') standing = { ...standing, isRoundOver: true }
    if (event.type === 'paused' && standing.status === 'running') standing = { ...standing, status: 'paused' }
    if (event.type === 'resumed' && standing.status === 'paused') standing = { ...standing, status: 'running' }
    if (event.type === 'stopped' && !isOver(standing.status)) standing = { ...standing, status: 'stopping' }
    if (event.type === 'ended') {
      standing = { status: event.outcome, reason: event.reason, round, isRoundOver }
      // Their turns were cancelled.
      waiting.clear()
    }
    if (event.type === 'retried' && (standing.status === 'error' || standing.status === 'stopped'))
      standing = { status: 'running', round, isRoundOver }
  }
  const turns = [...waiting.values()]
  // In parallel play, others may still be at work.
  const isWaiting = standing.status === 'running' && turns.length > 0 && turns.length >= due.size
  return { ...standing, ...(isWaiting && { status: 'waiting' }), waiting: turns }
}

/** Returns whether a run with this status cannot continue. */
export function isOver(status: RunStatus): status is Ended['outcome'] {
  return status !== 'running' && status !== 'waiting' && status !== 'paused' && status !== 'stopping'
}

/** By which a participant addresses another. */
export const tellTool = 'tell'

/** A message to another participant. */
export interface Telling {
  readonly to: string
  readonly text: string
}

/** The tool by which a participant addresses those that it can; undefined if it cannot address any. */
export function tellOf({ tells = [] }: Participant): ExperimentTool | undefined {
  if (tells.length === 0) return undefined
  return {
    description: 'Says something to another participant, who hears it at their next turn.',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string', enum: tells }, text: { type: 'string', description: 'what you say' } },
      required: ['to', 'text'],
    },
    refusal: (_, { input }) => {
      const telling = tellingIn(input)
      if (!telling) return 'it needs `to` and `text`, both texts that are not empty'
      return tells.includes(telling.to)
        ? undefined
        : `there is no participant of that name whom you can tell something; there are: ${tells.join(', ')}`
    },
    run: (input) => `${tellingIn(input)!.to} will hear it.`,
    mayRepeat: true,
  }
}

/** What was said by a call; undefined if it was not addressed to a participant. */
export function toldBy({ tool, status, input }: Pick<Effect, 'tool' | 'status' | 'input'>): Telling | undefined {
  return tool === tellTool && status === 'done' ? tellingIn(input) : undefined
}

function tellingIn({ to, text }: CallInput): Telling | undefined {
  return typeof to === 'string' && typeof text === 'string' && text !== '' ? { to, text } : undefined
}
