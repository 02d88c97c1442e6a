import { environmentFor } from './environment.ts'
import type { Environment, Experiment, Value } from './experiment.ts'
import { isUnsuccessful, toldBy } from './next-move.ts'
import { callKey, type Effect, type Played, type RunEvent, type RoundEnd, type TurnPlace } from './run-event.ts'

/**
 * What a participant is told in its turn: the round, the variables that it sees, what it heard since its last turn with
 * the names of the speakers, what happened to its own effects, and what it is asked. Nothing else of the run reaches
 * it.
 */
export function viewFor(experiment: Experiment, events: readonly RunEvent[], place: TurnPlace): string {
  const { participant, round } = place
  const plan = planOf(experiment, round)
  const title = plan.name === undefined ? `Round ${round}` : `Round ${round}: ${plan.name}`
  const blocks = [
    [title, ...variableLines(experiment, participant, environmentFor(events, place))],
    heardLines(experiment, events, place),
    lostLines(events, place),
    plan.ask === undefined ? [] : [plan.ask],
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** How a round is played. */
export function planOf({ rounds = [] }: Experiment, round: number): NonNullable<Experiment['rounds']>[number] {
  return rounds[(round - 1) % rounds.length] ?? { play: 'sequence' }
}

/** The variables that a participant sees. */
export function seenBy({ environment, participants }: Experiment, participant: string): readonly string[] {
  const { sees } = participants[participant] ?? {}
  return Object.keys(environment).filter((name) => sees === undefined || sees.includes(name))
}

function variableLines(experiment: Experiment, participant: string, environment: Environment): string[] {
  return seenBy(experiment, participant).map((name) => {
    const { description } = experiment.environment[name]!
    return `${name}: ${oneSpeaker(valueText(environment[name] ?? null))}${description === undefined ? '' : ` (${description})`}`
  })
}

export function valueText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was said since the participant last played, and was meant for it. */
function heardLines({ participants }: Experiment, events: readonly RunEvent[], place: TurnPlace): string[] {
  const { participant, round, turn } = place
  const hearsAll = participants[participant]?.hears === 'all'
  const before = events.findLastIndex(
    (event) =>
      event.type === 'played' &&
      event.participant === participant &&
      !isUnsuccessful(event) &&
      (event.round < round || event.turn < turn),
  )
  const last = events[before]
  const orders = parallelOrders(events)
  return utterances(events, orders).flatMap(({ event, index }) => {
    const wasAudible = last?.type === 'played' && index < before && isAudible(orders, event, last.round)
    if (event.participant === participant || !isAudible(orders, event, round) || wasAudible) return []
    if (event.type === 'played') return hearsAll && event.text !== '' ? [line(event.participant, event.text)] : []
    const told = toldBy(event)
    return told?.to === participant ? [line(`${event.participant} to you`, told.text)] : []
  })
}

interface Utterance {
  readonly event: Effect | Played
  readonly index: number
}

/** Everything that was said, in an order that does not depend on speed: in parallel play it is the order of play. */
function utterances(events: readonly RunEvent[], orders: Orders): readonly Utterance[] {
  const rank = ({ event }: Utterance): number => orders.get(event.round)?.indexOf(event.participant) ?? 0
  return events
    .flatMap((event, index): Utterance[] =>
      (event.type === 'played' && !isUnsuccessful(event)) || event.type === 'effect' ? [{ event, index }] : [],
    )
    .toSorted(
      (left, right) => left.event.round - right.event.round || rank(left) - rank(right) || left.index - right.index,
    )
}

/** The order of play of each round that is played in parallel. */
type Orders = ReadonlyMap<number, readonly string[]>

function parallelOrders(events: readonly RunEvent[]): Orders {
  return new Map(
    events.flatMap((event) =>
      event.type === 'roundStart' && event.play === 'parallel' ? [[event.round, event.order] as const] : [],
    ),
  )
}

/** Participants that play in parallel do not hear each other. */
function isAudible(orders: Orders, said: TurnPlace, round: number): boolean {
  return said.round < round || (said.round === round && !orders.has(round))
}

function line(speaker: string, text: string): string {
  return `${speaker}: ${oneSpeaker(text.trim())}`
}

/** Further lines of a text are indented, so that no participant can speak in the name of another, or of the run. */
export function oneSpeaker(text: string): string {
  return text.split(lineEnd).join('\n  ')
}

/** All that a model may take for one. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** What it did in parallel play, and was undone because others came before it. */
function lostLines(events: readonly RunEvent[], { participant, round, turn }: TurnPlace): string[] {
  if (turn > 0) return []
  const last = events.findLast(
    (event): event is Played => event.type === 'played' && event.participant === participant && event.round < round,
  )
  const over = events.find((event): event is RoundEnd => event.type === 'roundEnd' && event.round === last?.round)
  return (over?.applied ?? []).flatMap((applied) => {
    if (applied.participant !== participant || !('refused' in applied)) return []
    const effect = events.find(
      (event): event is Effect => event.type === 'effect' && callKey(event) === callKey(applied),
    )
    return effect ? [`Your ${effect.tool} in round ${applied.round} had no effect: ${oneSpeaker(applied.refused)}`] : []
  })
}
