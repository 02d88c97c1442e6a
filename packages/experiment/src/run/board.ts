import { verdictTraits, type Verdict } from 'minutebook/compile'
import type { VerdictCounts, WindowLimit } from 'minutebook/inspect'
import { environmentFor, environmentOf, environmentsOf } from './environment.ts'
import type { Changes, Environment, Play, Value } from './experiment.ts'
import { spendingOf, standingOf, type RunStatus, type Spending } from './next-move.ts'
import type { Begun, Effect, ModelCall, Played, Recorded, RoundStart, TurnPlace } from './run-event.ts'
import { participantThread } from './run-log.ts'

/** A run at a glance: who did what in each round, and what the environment was. */
export interface Board {
  readonly run: string
  /** The name of the experiment. */
  readonly name: string
  readonly seed: number
  readonly status: RunStatus
  readonly reason?: string
  /** The participants that are waited for. */
  readonly waiting: readonly string[]
  readonly began?: string
  /** When the run last changed. */
  readonly changed?: string
  readonly answers?: string
  readonly forked?: { readonly run: string; readonly round: number }
  readonly participants: readonly Lane[]
  readonly rounds: readonly Column[]
  /** The current environment. */
  readonly environment: Environment
  readonly initial: Environment
  readonly spending: Spending
}

/** A participant on the board of a run. */
export interface Lane {
  readonly name: string
  /** Null for a person. */
  readonly model: string | null
  readonly thread: string
  readonly spending: Spending
}

/** A round on the board of a run. */
export interface Column {
  readonly round: number
  readonly name: string
  readonly play: Play
  /** The participants that play, in order. */
  readonly order: readonly string[]
  readonly isOver: boolean
  readonly began?: string
  readonly ended?: string
  /** The environment after the round. If the round is not over: the current environment. */
  readonly environment: Environment
  readonly cells: readonly Cell[]
}

/** A turn of a participant. */
export interface Cell extends Pick<TurnPlace, 'participant' | 'turn'> {
  /** `playing`: its answer is not recorded yet. `asked`: a person was asked, and has not answered. */
  readonly status: 'playing' | 'asked' | Played['status']
  readonly text: string
  readonly reason?: { readonly code: string; readonly message: string; readonly fix?: string }
  readonly asked?: string
  readonly calls: readonly ModelCall[]
  readonly effects: readonly CellEffect[]
}

/** A call of a tool, and what it changed. */
export interface CellEffect {
  readonly tool: string
  readonly input: Readonly<Record<string, Value>>
  readonly told: string
  readonly changes: Changes
  readonly status: Effect['status']
}

/** The board of a run, from its events. */
export function boardOf(run: string, begun: Recorded<Begun>, events: readonly Recorded[]): Board {
  const { status, reason, waiting } = standingOf(events)
  const over = environmentsOf(events)
  const rounds = events.filter((event): event is Recorded<RoundStart> => event.type === 'roundStart')
  return {
    run,
    name: begun.name,
    seed: begun.seed,
    status,
    ...(reason !== undefined && { reason }),
    waiting: waiting.map(({ participant }) => participant),
    ...(begun.time !== undefined && { began: begun.time }),
    ...(events.at(-1)?.time !== undefined && { changed: events.at(-1)!.time! }),
    ...(begun.answers !== undefined && { answers: begun.answers }),
    ...(begun.forked && { forked: begun.forked }),
    participants: Object.entries(begun.participants).map(([name, model]) => ({
      name,
      model,
      thread: participantThread(run, name),
      spending: spendingOf(begun, events, name),
    })),
    rounds: rounds.map((round) => columnOf(round, events, over)),
    environment: environmentOf(events),
    initial: begun.environment,
    spending: spendingOf(begun, events),
  }
}

function columnOf(
  { round, name, play, order, time }: Recorded<RoundStart>,
  events: readonly Recorded[],
  over: ReadonlyMap<number, Environment>,
): Column {
  const ended = events.find((event) => event.type === 'roundEnd' && event.round === round)
  return {
    round,
    name,
    play,
    order,
    isOver: ended !== undefined,
    ...(time !== undefined && { began: time }),
    ...(ended?.time !== undefined && { ended: ended.time }),
    environment: over.get(round) ?? environmentFor(events, { round, participant: '' }),
    cells: cellsOf(round, order, events),
  }
}

function cellsOf(round: number, order: readonly string[], events: readonly Recorded[]): readonly Cell[] {
  const effects = events.filter((event): event is Recorded<Effect> => event.type === 'effect' && event.round === round)
  const played = events.filter((event): event is Recorded<Played> => event.type === 'played' && event.round === round)
  const turns = new Map<string, Cell>()
  const key = ({ participant, turn }: Pick<TurnPlace, 'participant' | 'turn'>): string => `${participant} ${turn}`
  for (const { participant, turn } of effects)
    turns.set(key({ participant, turn }), { participant, turn, status: 'playing', text: '', calls: [], effects: [] })
  for (const event of events)
    if (event.type === 'waiting' && event.round === round)
      turns.set(key(event), {
        participant: event.participant,
        turn: event.turn,
        status: 'asked',
        text: '',
        calls: [],
        effects: [],
      })
  for (const { participant, turn, status, text, asked, calls, reason } of played)
    turns.set(key({ participant, turn }), {
      participant,
      turn,
      status,
      text,
      asked,
      calls: [...(turns.get(key({ participant, turn }))?.calls ?? []), ...calls],
      effects: [],
      ...(reason && { reason }),
    })
  const cells = [...turns.values()].toSorted(
    (left, right) => order.indexOf(left.participant) - order.indexOf(right.participant) || left.turn - right.turn,
  )
  return cells.map((cell) => ({
    ...cell,
    effects: effects
      .filter((effect) => key(effect) === key(cell))
      .map(({ tool, input, told, changes, status }) => ({ tool, input, told, changes, status })),
  }))
}

/** What the model did not get to see in a turn, though it was there: the worst of its prompts counts. */
export interface Gaps {
  /** What became of the question, if it was not sent whole. */
  readonly question?: Verdict
  /** How many other entries of the turn were clipped or left out. */
  readonly turn: number
  /** How many older entries were left out, or sent only in brief. */
  readonly earlier: number
  /** If its window was smaller than the definition asks for. */
  readonly window?: WindowLimit
}

/**
 * What the prompts of a turn lacked.
 *
 * @example
 * const { question } = gapsOf(board.rounds[0]!.cells[0]!.calls)
 */
export function gapsOf(calls: readonly ModelCall[]): Gaps {
  const asked = calls.filter(({ isVain }) => !isVain)
  const question = asked.find(({ turn }) => turn && !whole.has(turn.question))?.turn?.question
  const window = asked.find((call) => call.window)?.window
  return {
    ...(question !== undefined && { question }),
    turn: most(asked, ({ turn }) => (turn ? counted(turn.verdicts, whole) - (whole.has(turn.question) ? 0 : 1) : 0)),
    earlier: most(asked, ({ verdicts, turn }) => counted(verdicts, worded) - counted(turn?.verdicts ?? {}, worded)),
    ...(window && { window }),
  }
}

/** The same in words, one for each gap; empty if the model saw everything. */
export function gapTexts({ question, turn, earlier, window }: Gaps): readonly string[] {
  return [
    ...(question === undefined ? [] : [`question ${question}`]),
    ...(turn === 0 ? [] : [`${plural(turn, 'entry', 'entries')} of the turn clipped or left out`]),
    ...(earlier === 0 ? [] : [`${plural(earlier, 'older entry', 'older entries')} left out or in brief`]),
    ...(window ? [`window of ${figure(window.given)} tokens, not ${figure(window.asked)}`] : []),
  ]
}

/** Sent in its place, or never meant to be sent. */
const whole: ReadonlySet<string> = new Set<Verdict>(['verbatim', 'hidden'])
/** All of these have their own words in the prompt, or are never meant to. */
const worded: ReadonlySet<string> = new Set(
  Object.entries(verdictTraits).flatMap(([verdict, { sends, isHidden }]) =>
    sends === 'nothing' && !isHidden ? [] : [verdict],
  ),
)

function counted(verdicts: VerdictCounts, but: ReadonlySet<string>): number {
  return Object.entries(verdicts).reduce((sum, [verdict, count]) => (but.has(verdict) ? sum : sum + count), 0)
}

function most(calls: readonly ModelCall[], of: (call: ModelCall) => number): number {
  return calls.reduce((largest, call) => Math.max(largest, of(call)), 0)
}

function plural(count: number, one: string, many: string): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}
