import { MinutebookError, type Entry } from 'minutebook'
import type { Receipt } from 'minutebook/inspect'
import { entryOf, type NewEntry } from 'minutebook/store'
import type { CallInput, Changes, Environment, Play, Price, Value } from './experiment.ts'

/** What happens in a run, in recorded order: everything else about it is derived from these. */
export type RunEvent =
  | Begun
  | RoundStart
  | Calling
  | Effect
  | Undone
  | Waiting
  | Played
  | RoundEnd
  | Changed
  | Command
  | Ended

/** A run has begun. */
export interface Begun {
  readonly type: 'begun'
  /** The name of the experiment. */
  readonly name: string
  readonly seed: number
  /** What the experiment is made from again when the run continues. */
  readonly definition: Value
  readonly environment: Environment
  /** The model of each participant, in the order of play. Null for a person. */
  readonly participants: Readonly<Record<string, string | null>>
  readonly prices: Readonly<Record<string, Price>>
  /** The run whose answers are given again, in place of asking models. */
  readonly answers?: string
  /** The run that it was forked from: it shares everything before this round. */
  readonly forked?: { readonly run: string; readonly round: number }
}

/** A round has begun. */
export interface RoundStart {
  readonly type: 'roundStart'
  readonly round: number
  readonly name: string
  readonly play: Play
  readonly order: readonly string[]
  /** What the hook changed. */
  readonly changes: Changes
}

/** A tool that may not repeat is about to run. */
export interface Calling extends CallPlace {
  readonly type: 'calling'
}

/** What a call did. */
export interface Effect extends CallPlace {
  readonly type: 'effect'
  readonly tool: string
  readonly input: CallInput
  readonly result: Value
  /** What the participant was told. */
  readonly told: string
  /** As the participant saw it: in parallel play what applies is said when the round is over. */
  readonly changes: Changes
  readonly status: 'done' | 'refused' | 'failed' | 'interrupted'
  /**
   * Why it failed, if the participant was not told: it may name what the participant does not see. A tool that throws
   * sets it as `reason` in the details of its error.
   */
  readonly reason?: string
}

/**
 * A call that was aborted at the moment in which it was done: its participant was told that it was not done, so it does
 * not count.
 */
export interface Undone extends CallPlace {
  readonly type: 'undone'
}

/** One call among those of a turn, counted from 0. */
export interface CallPlace extends TurnPlace {
  readonly call: number
}

/** One turn of a participant within a round, counted from 0. */
export interface TurnPlace {
  readonly round: number
  readonly participant: string
  readonly turn: number
}

/** A turn of a participant waits for a decision: a person has been asked. */
export interface Waiting extends TurnPlace {
  readonly type: 'waiting'
  readonly attempt: number
}

/** A turn of a participant is over. */
export interface Played extends TurnPlace {
  readonly type: 'played'
  /** How often it was asked before in vain. */
  readonly attempt: number
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed'
  /** What it answered. */
  readonly text: string
  /** In its thread: the entry that asked, and the last one of the turn. */
  readonly asked: string
  readonly head: string
  readonly calls: readonly ModelCall[]
  readonly reason?: { readonly code: string; readonly message: string; readonly fix?: string }
}

/** A model call of a turn, by its receipt, with what the model saw. */
export interface ModelCall extends Pick<Receipt, 'verdicts' | 'turn' | 'window'> {
  readonly receipt: string
  /** Of the prompt. */
  readonly hash: string
  /** Tokens, as the model reports them, or as they were predicted. */
  readonly prompt: number
  readonly completion: number
  /** If it had no result. */
  readonly isVain?: true
}

/** A round is over. */
export interface RoundEnd {
  readonly type: 'roundEnd'
  readonly round: number
  /** In parallel play: what applied of each call, in the order of play. */
  readonly applied: readonly Applied[]
  /** What the hook changed. */
  readonly changes: Changes
}

/** What a call changed in the environment, or why it was refused. */
export type Applied = CallPlace & ({ readonly changes: Changes } | { readonly refused: string })

/** The environment was changed from outside: the run was forked with other values. */
export interface Changed {
  readonly type: 'changed'
  readonly changes: Changes
  /** The place after the last event before it. */
  readonly at: number
}

/** A command for a run. */
export interface Command {
  readonly type: 'paused' | 'resumed' | 'stopped' | 'retried'
  /** The place after the last event that was known: the same wish can come twice. */
  readonly at: number
}

/** A run is over. */
export interface Ended {
  readonly type: 'ended'
  readonly outcome: Outcome
  /** In words: the goal that was reached, or the limit. */
  readonly reason: string
  /** The place after the last event that was known. */
  readonly at: number
}

/** How a run ended. */
export type Outcome = 'success' | 'failure' | 'limit' | 'stopped' | 'error'

/** An event with its place in the log and its time. */
export type Recorded<E extends RunEvent = RunEvent> = E & { readonly seq: number; readonly time?: string | undefined }

/** The entry of an event. Events with the same key are the same: the first recorded one counts. */
export function entryOfEvent(event: RunEvent, time: string | undefined): NewEntry {
  // Not canonical: in a definition, the order of participants, changes and goals has a meaning.
  return entryOf({ role: 'system', content: JSON.stringify(event) }, undefined, {
    kind: 'event',
    key: keyOf(event),
    ...(time !== undefined && { time }),
  })
}

/** The events among entries, in order, each once, without those whose keys are already known. */
export function eventsIn(entries: readonly Entry[], known: ReadonlySet<string | undefined> = new Set()): Recorded[] {
  const seen = new Set<string | undefined>()
  return entries.flatMap((entry): Recorded[] => {
    if (entry.kind !== 'event' || entry.status === 'erased' || known.has(entry.key) || seen.has(entry.key)) return []
    seen.add(entry.key)
    return [
      {
        ...eventOf(entry),
        seq: entry.seq,
        ...(entry.time !== undefined && { time: entry.time }),
      },
    ]
  })
}

/** The place in the log after the last of these events. It only grows, also when an effect is undone. */
export function placeAfter(events: readonly Recorded[]): number {
  return (events.at(-1)?.seq ?? -1) + 1
}

/** A type that is missing here is an error of the compiler. */
const eventTypes: Readonly<Record<RunEvent['type'], true>> = {
  begun: true,
  roundStart: true,
  calling: true,
  effect: true,
  undone: true,
  waiting: true,
  played: true,
  roundEnd: true,
  changed: true,
  paused: true,
  resumed: true,
  stopped: true,
  retried: true,
  ended: true,
}

/** Refuses a type that it does not know: a run that is read without it would be another run. */
function eventOf({ text, seq }: Entry): RunEvent {
  const event = JSON.parse(text) as RunEvent
  if (!Object.hasOwn(eventTypes, event.type))
    throw new MinutebookError(
      'unknown_event',
      `Entry ${seq} of the run has the unknown type "${String(event.type)}".`,
      'Read the run with the version that wrote it.',
      { seq, type: event.type },
    )
  return event
}

/** How a round began; undefined if it did not begin. */
export function roundIn(events: readonly RunEvent[], round: number): RoundStart | undefined {
  return events.find((event): event is RoundStart => event.type === 'roundStart' && event.round === round)
}

/** Without its place, as it was recorded. */
export function bare({ seq: _seq, time: _time, ...event }: Recorded): RunEvent {
  return event as RunEvent
}

function keyOf(event: RunEvent): string {
  switch (event.type) {
    case 'begun':
      return 'begun'
    case 'roundStart':
    case 'roundEnd':
      return `${event.type} ${event.round}`
    case 'calling':
    case 'effect':
    case 'undone':
      return `${event.type} ${callKey(event)}`
    case 'waiting':
    case 'played':
      return `${event.type} ${turnKey(event)} ${event.attempt}`
    default:
      return `${event.type} ${event.at}`
  }
}

/** Identifies a turn of a participant. Its question is sent to its thread under this id. */
export function turnKey({ round, participant, turn }: TurnPlace): string {
  return `round ${round} ${participant} ${turn}`
}

export function callKey(place: CallPlace): string {
  return `${turnKey(place)} ${place.call}`
}
