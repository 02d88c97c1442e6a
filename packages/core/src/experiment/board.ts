import { environmentFor, environmentOf, environmentsOf } from './environment.ts'
import type { Begun, Effect, ModelCall, Played, Recorded, StepBegun, TurnPlace } from './event.ts'
import type { Play } from './experiment.ts'
import { participantThread } from './run-name.ts'
import { spendingOf, type Spending } from './spending.ts'
import { standingOf, type RunStatus } from './standing.ts'
import type { Changes, Environment, Value } from './value.ts'

/** A run at a glance: who did what at each step, and what the environment was. */
export interface Board {
  readonly run: string
  /** Of the experiment. */
  readonly name: string
  readonly seed: number
  readonly status: RunStatus
  readonly reason?: string
  readonly began?: string
  /** When something last happened. */
  readonly changed?: string
  readonly answers?: string
  readonly forked?: { readonly run: string; readonly step: number }
  readonly participants: readonly Lane[]
  readonly steps: readonly Column[]
  /** As it is now. */
  readonly environment: Environment
  readonly initial: Environment
  readonly spending: Spending
}

export interface Lane {
  readonly name: string
  readonly model: string
  readonly thread: string
  readonly spending: Spending
}

export interface Column {
  readonly step: number
  readonly name: string
  readonly play: Play
  /** Who plays, in order. */
  readonly order: readonly string[]
  readonly isOver: boolean
  readonly began?: string
  readonly ended?: string
  /** After the step, or as it is now. */
  readonly environment: Environment
  readonly cells: readonly Cell[]
}

/** A turn of a participant. */
export interface Cell extends Pick<TurnPlace, 'participant' | 'turn'> {
  /** `playing`: its answer is not on record yet. */
  readonly status: 'playing' | Played['status']
  readonly text: string
  readonly reason?: { readonly code: string; readonly message: string }
  readonly asked?: string
  readonly calls: readonly ModelCall[]
  readonly effects: readonly CellEffect[]
}

export interface CellEffect {
  readonly tool: string
  readonly input: Readonly<Record<string, Value>>
  readonly told: string
  readonly changes: Changes
  readonly status: Effect['status']
}

/** The board of a run, from its events. */
export function boardOf(run: string, begun: Recorded<Begun>, events: readonly Recorded[]): Board {
  const { status, reason } = standingOf(events)
  const over = environmentsOf(events)
  const steps = events.filter((event): event is Recorded<StepBegun> => event.type === 'step')
  return {
    run,
    name: begun.name,
    seed: begun.seed,
    status,
    ...(reason !== undefined && { reason }),
    ...(begun.time !== undefined && { began: begun.time }),
    ...(events.at(-1)?.time !== undefined && { changed: events.at(-1)!.time! }),
    ...(begun.answers !== undefined && { answers: begun.answers }),
    ...(begun.forked && { forked: begun.forked }),
    participants: Object.entries(begun.participants).map(([name, model]) => ({ name, model, thread: participantThread(run, name), spending: spendingOf(begun, events, name) })),
    steps: steps.map((step) => columnOf(step, events, over)),
    environment: environmentOf(events),
    initial: begun.environment,
    spending: spendingOf(begun, events),
  }
}

function columnOf({ step, name, play, order, time }: Recorded<StepBegun>, events: readonly Recorded[], over: ReadonlyMap<number, Environment>): Column {
  const stepped = events.find((event) => event.type === 'stepped' && event.step === step)
  return {
    step,
    name,
    play,
    order,
    isOver: stepped !== undefined,
    ...(time !== undefined && { began: time }),
    ...(stepped?.time !== undefined && { ended: stepped.time }),
    environment: over.get(step) ?? environmentFor(events, { step, participant: '' }),
    cells: cellsOf(step, order, events),
  }
}

function cellsOf(step: number, order: readonly string[], events: readonly Recorded[]): readonly Cell[] {
  const effects = events.filter((event): event is Recorded<Effect> => event.type === 'effect' && event.step === step)
  const played = events.filter((event): event is Recorded<Played> => event.type === 'played' && event.step === step)
  const turns = new Map<string, Cell>()
  const key = ({ participant, turn }: Pick<TurnPlace, 'participant' | 'turn'>): string => `${participant} ${turn}`
  for (const { participant, turn } of effects) turns.set(key({ participant, turn }), { participant, turn, status: 'playing', text: '', calls: [], effects: [] })
  for (const { participant, turn, status, text, asked, calls, reason } of played) turns.set(key({ participant, turn }), { participant, turn, status, text, asked, calls: [...(turns.get(key({ participant, turn }))?.calls ?? []), ...calls], effects: [], ...(reason && { reason }) })
  const cells = [...turns.values()].toSorted((left, right) => order.indexOf(left.participant) - order.indexOf(right.participant) || left.turn - right.turn)
  return cells.map((cell) => ({ ...cell, effects: effects.filter((effect) => key(effect) === key(cell)).map(({ tool, input, told, changes, status }) => ({ tool, input, told, changes, status })) }))
}
