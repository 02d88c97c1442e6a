import { MinutebookError, type Book, type Entry, type Feed, type Store } from 'minutebook'
import { receiptsOf, settingsFrom, type CallSettings } from 'minutebook/inspect'
import { canonicalJson, sha256, type NewRecord } from 'minutebook/store'
import { boardOf, type Board } from './board.ts'
import type { Experiment } from './experiment.ts'
import { isUnsuccessful, standingOf, type RunStatus } from './next-move.ts'
import type { ExperimentRuntime } from './play-turn.ts'
import {
  bare,
  entryOfEvent,
  placeAfter,
  type Begun,
  type Command,
  type Played,
  type Recorded,
  type RunEvent,
} from './run-event.ts'
import { listed, participantThread, runThread, type RunLog } from './run-log.ts'
import { watchRun } from './watch.ts'

/** One recorded run of an experiment. */
export interface Run {
  readonly id: string
  /** What happened, oldest first. Throws `unknown_run`, as all others do. */
  events(): Promise<readonly Recorded[]>
  begun(): Promise<Recorded<Begun>>
  board(): Promise<Board>
  /** The board whenever something has happened, until the run is over or the signal aborts. */
  watch(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Board>
  /** What it was really made with. */
  manifest(): Promise<Manifest>
  /** No further turn begins; those under way are finished. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Ends it, and asks turns under way to stop. */
  stop(): Promise<void>
  /** Continues a run that failed or was stopped. */
  retry(): Promise<void>
}

export function openRun({ store, queue, clock }: ExperimentRuntime, feed: Feed | undefined, log: RunLog): Run {
  const thread = runThread(log.run)
  const board = async (): Promise<Board> => {
    const { begun, events } = await log.begun()
    return boardOf(log.run, begun, events)
  }
  const want = (type: Command['type'], from: readonly RunStatus[]) => async (): Promise<void> => {
    const { events } = await log.begun()
    const { status } = standingOf(events)
    if (!from.includes(status))
      throw new MinutebookError('not_possible', `This run is ${statusWords[status]} and cannot be ${type}.`, '', {
        run: log.run,
        status,
      })
    await queue.wake(thread, [entryOfEvent({ type, at: placeAfter(events) }, clock.now())])
    feed?.publish(thread, { type: 'grown' })
  }
  return {
    id: log.run,
    events: async () => (await log.begun()).events,
    begun: async () => (await log.begun()).begun,
    board,
    watch: ({ signal } = {}) => watchRun(log, { feed, clock, signal }),
    manifest: async () => {
      const { begun } = await log.begun()
      const threads = Object.keys(begun.participants).map(
        async (name) => [name, await store.read(participantThread(log.run, name))] as const,
      )
      return manifestOf(begun, new Map(await Promise.all(threads)))
    },
    pause: want('paused', ['running', 'waiting']),
    resume: want('resumed', ['paused']),
    stop: want('stopped', ['running', 'waiting', 'paused']),
    retry: want('retried', ['error', 'stopped']),
  }
}

const statusWords: Readonly<Record<RunStatus, string>> = {
  running: 'running',
  waiting: 'waiting',
  paused: 'paused',
  stopping: 'being stopped',
  success: 'over',
  failure: 'over',
  limit: 'over',
  stopped: 'stopped',
  error: 'over',
}

/** What a run was really made with: enough to say whether another one could come out the same. */
export interface Manifest {
  readonly experiment: string
  /** SHA-256 of the recorded JSON of the definition: the order of its parts counts. */
  readonly definition: string
  readonly seed: number
  readonly participants: readonly ParticipantManifest[]
}

/** What a participant actually ran with. */
export interface ParticipantManifest {
  readonly name: string
  /** The settings as they were sent. If they changed, all of them in order. */
  readonly settings: readonly SentSettings[]
}

/** Settings, and how many model calls were made under them. */
export interface SentSettings extends Pick<
  CallSettings,
  'compiler' | 'model' | 'wire' | 'facts' | 'options' | 'window' | 'reserve' | 'policy' | 'counter'
> {
  readonly calls: number
  /** The seeds that were sent with them, each once, in order. */
  readonly seeds: readonly number[]
  /** Names of the tools. */
  readonly tools: readonly string[]
}

/** `threads`: the entries of each participant's thread. */
function manifestOf(begun: Begun, threads: ReadonlyMap<string, readonly Entry[]>): Manifest {
  return {
    experiment: begun.name,
    definition: sha256(JSON.stringify(begun.definition)),
    seed: begun.seed,
    participants: [...threads].map(([name, entries]) => ({ name, settings: settingsSent(entries) })),
  }
}

function settingsSent(entries: readonly Entry[]): readonly SentSettings[] {
  const receipts = receiptsOf(entries)
  const known = entries.filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return [...new Map(known.map((entry) => [entry.text, entry])).values()].flatMap((entry): SentSettings[] => {
    const hash = sha256(entry.text)
    const made = receipts.filter(({ settings }) => settings === hash)
    const { compiler, model, wire, facts, options, window, reserve, policy, counter, tools } = settingsFrom(entry)
    return made.length === 0
      ? []
      : [
          {
            calls: made.length,
            seeds: [...new Set(made.flatMap((receipt) => receipt.options?.seed ?? []))],
            compiler,
            model,
            wire,
            ...(facts && { facts }),
            ...(options && { options }),
            window,
            reserve,
            policy,
            counter,
            tools: tools.map((tool) => tool.function.name),
          },
        ]
  })
}

/** The first event of a run. */
export function begunOf(
  { name, environment, participants, prices = {} }: Experiment,
  made: Pick<Begun, 'definition' | 'seed' | 'answers'>,
): Begun {
  return {
    type: 'begun',
    name,
    ...made,
    environment: Object.fromEntries(Object.entries(environment).map(([variable, { initial }]) => [variable, initial])),
    participants: Object.fromEntries(
      Object.entries(participants).map(([who, { model }]) => [who, model?.name ?? null]),
    ),
    prices,
  }
}

/** Starts the log of a run, lists it and lets it continue: all or nothing. Throws `run_exists` if the name is taken. */
export async function foundRun(
  { queue, clock }: Pick<ExperimentRuntime, 'queue' | 'clock'>,
  run: string,
  events: readonly RunEvent[],
  records: readonly NewRecord[],
): Promise<void> {
  const thread = runThread(run)
  const time = clock.now()
  const entries = events.map((event) => entryOfEvent(event, time))
  // Another caller may have been faster since `checkFree`: then nothing of this run may be written into the other one.
  const founded = await queue.wake(thread, entries, { records: [{ ...listed(run), expected: 0 }, ...records] })
  if (!founded.ok) throw runExistsError(run)
}

/**
 * Throws `run_exists` if there is a run of that name, or a thread of one of these participants in it: a fork that ended
 * before it was recorded leaves them, and another run would take the answers in them for its own.
 */
export async function checkFree(store: Store, run: string, participants: readonly string[] = []): Promise<void> {
  for (const thread of [runThread(run), ...participants.map((name) => participantThread(run, name))])
    if ((await store.standing(thread)).length > 0) throw runExistsError(run)
}

function runExistsError(run: string): MinutebookError {
  return new MinutebookError('run_exists', `There is a run "${run}" already.`, 'Begin this one under another name.', {
    run,
  })
}

/** What a run did before a round, without the commands for it. Throws `unknown_round` if it did not come that far. */
export function eventsBefore(events: readonly Recorded[], round: number): readonly RunEvent[] {
  const last = events.findLastIndex((event) => event.type === 'roundEnd' && event.round === round - 1)
  if (!Number.isSafeInteger(round) || round < 1 || (round > 1 && last < 0))
    throw new MinutebookError(
      'unknown_round',
      `The run did not come to round ${round}.`,
      'Fork at a round that it began, or the one after its last.',
      { round },
    )
  return events
    .slice(1, last + 1)
    .filter(
      ({ type }) =>
        type !== 'begun' &&
        type !== 'paused' &&
        type !== 'resumed' &&
        type !== 'stopped' &&
        type !== 'retried' &&
        type !== 'ended',
    )
    .map(bare)
}

/**
 * How a fork begins: as the source began. If the new rules have another initial value, the variable has it from here
 * on.
 */
export function forkedEvents(source: Begun, begun: Begun, kept: readonly RunEvent[]): readonly RunEvent[] {
  if (kept.length === 0) return [begun]
  const changes = Object.fromEntries(
    Object.entries(begun.environment).filter(
      ([name, value]) => canonicalJson(value) !== canonicalJson(source.environment[name] ?? value),
    ),
  )
  const first: Begun = { ...begun, environment: { ...begun.environment, ...source.environment } }
  return [
    first,
    ...kept,
    ...(Object.keys(changes).length > 0 ? [{ type: 'changed', changes, at: kept.length + 1 } as const] : []),
  ]
}

/** Takes what each participant remembers of it along. What the same fork has copied before can stay. */
export async function forkThreads(
  book: Book,
  { from, as }: { readonly from: string; readonly as: string },
  participants: readonly string[],
  events: readonly RunEvent[],
): Promise<void> {
  for (const name of participants) {
    const last = lastOf(name, events)
    if (last) await book.thread(participantThread(from, name)).fork({ as: participantThread(as, name), at: last.head })
  }
}

/** The last turn of a participant that did not fail. */
export function lastOf(name: string, events: readonly RunEvent[]): Played | undefined {
  return events.findLast(
    (event): event is Played => event.type === 'played' && event.participant === name && !isUnsuccessful(event),
  )
}
