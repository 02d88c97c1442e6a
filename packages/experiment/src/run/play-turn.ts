import { askUser, type Book, type TurnQueue, type Message, type Store, type ThreadOptions, type Turn } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { nextStep, receiptsOf, resultOf, turnOf } from 'minutebook/inspect'
import type { StoredEntry } from 'minutebook/store'
import type { Experiment, Participant } from './experiment.ts'
import { standingOf, type Attempt } from './next-move.ts'
import { modelSeed, seatModel, withSeedFix, type SeatModel } from './model-seed.ts'
import { participantTools } from './participant-tools.ts'
import { planOf, viewFor } from './participant-view.ts'
import { personModel, repeatedPerson } from './person.ts'
import { recordedModel } from './recorded-model.ts'
import { turnKey, type Begun, type ModelCall, type Played, type RunEvent, type Waiting } from './run-event.ts'
import { participantThread, type RunLog } from './run-log.ts'

/**
 * Starts the turn of a participant, unless it plays already or the run is paused. Returns its result once that is over,
 * and before that, once, that it waits.
 */
export async function takeTurn(
  table: RunContext,
  events: readonly RunEvent[],
  attempt: Attempt,
  isHeld: boolean,
): Promise<Played | Waiting | undefined> {
  const { store } = table.runtime
  const thread = participantThread(table.log.run, attempt.participant)
  const asked = (await store.read(thread, { key: turnKey(attempt) })).at(-1)
  if (!asked) return isHeld ? undefined : ask(table, thread, events, attempt)
  if (asked.kind !== 'user') return undefined
  const since = await store.read(thread, { from: asked.seq })
  const turn = turnOf(since, asked)
  const step = nextStep(turn)
  if (step) return step.do === 'wait' ? waitingIn(attempt, events) : undefined
  const ends = since.filter(({ kind }) => kind === 'stop').length
  const { status } = resultOf(turn)
  const isAnswered = status === 'complete' || status === 'partial'
  // The results of earlier attempts are recorded already.
  if (isAnswered || ends > attempt.attempt)
    return { ...playedIn(turn, attempt, events), ...(isPerson(table, attempt.participant) && { calls: [] }) }
  return isHeld ? undefined : askAgain(table, thread, events, attempt)
}

/** Undefined if it is recorded already. */
function waitingIn({ round, participant, turn, attempt }: Attempt, events: readonly RunEvent[]): Waiting | undefined {
  const isKnown = events.some(
    (event) =>
      event.type === 'waiting' && event.attempt === attempt && turnKey(event) === turnKey({ round, participant, turn }),
  )
  return isKnown ? undefined : { type: 'waiting', round, participant, turn, attempt }
}

async function ask(
  table: RunContext,
  thread: string,
  events: readonly RunEvent[],
  attempt: Attempt,
): Promise<undefined> {
  const options = await seatOptions(table, attempt.participant)
  const seat = table.runtime.book.thread(thread, options)
  const { history = [] } = table.experiment.participants[attempt.participant]!
  if (history.length > 0 && (await table.runtime.store.standing(thread)).length === 0)
    await seat.importMessages(history, { trusted: true })
  const message = messageFor(table.experiment, events, attempt)
  return recorded(seat.send(message, { id: turnKey(attempt), ifBusy: 'queue', ...modelSeed(table, attempt, options) }))
}

/** What a participant is told in its turn, with the images of the round. */
function messageFor(experiment: Experiment, events: readonly RunEvent[], attempt: Attempt): string | Message {
  const text = viewFor(experiment, events, attempt)
  const { images = [] } = planOf(experiment, attempt.round)
  if (images.length === 0) return text
  const shown = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: [{ type: 'text', text }, ...shown] }
}

/** After a pause: what failed may have been away for a moment. Not if the run is paused or stopped meanwhile. */
async function askAgain(
  table: RunContext,
  thread: string,
  events: readonly RunEvent[],
  attempt: Attempt,
): Promise<undefined> {
  if (!(await rested(table, pauseBefore(events, attempt)))) return undefined
  return recorded(table.runtime.book.thread(thread, await seatOptions(table, attempt.participant)).retry())
}

/** How long an attempt waits: twice as long with each failed turn. The first attempt after a person's retry does not wait. */
function pauseBefore(events: readonly RunEvent[], place: Attempt): number {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'retried') + 1)
  const tries = since.filter((event) => event.type === 'played' && turnKey(event) === turnKey(place)).length
  return tries === 0 ? 0 : Math.min(shortestPause * 2 ** (tries - 1), longestPause)
}

/** Waits, and returns whether the run still goes on. Its commands cannot run before this returns, so it looks for them. */
async function rested({ runtime, log }: RunContext, pause: number): Promise<boolean> {
  for (let left = pause; left > 0; left -= longestSlice) {
    await runtime.clock.after(Math.min(left, longestSlice), new AbortController().signal)
    const { status } = standingOf(await log.events())
    if (status !== 'running' && status !== 'waiting') return false
  }
  return true
}

/** Milliseconds. */
const shortestPause = 1000
const longestPause = 30_000
/** Milliseconds, after which a run that waits looks for commands. */
const longestSlice = 1000

/** The runner of the turn reports its end. */
async function recorded(turn: Turn): Promise<undefined> {
  await turn.recorded
}

function playedIn(
  turn: readonly StoredEntry[],
  { round, participant, turn: number, attempt }: Attempt,
  events: readonly RunEvent[],
): Played {
  const { status, text, reason } = resultOf(turn)
  // A retried turn continues at the same place: what its earlier attempts cost is recorded.
  const counted = new Set(
    events.flatMap((event) =>
      event.type === 'played' && event.participant === participant ? event.calls.map(({ receipt }) => receipt) : [],
    ),
  )
  return {
    type: 'played',
    round,
    participant,
    turn: number,
    attempt,
    status: status === 'complete' || status === 'partial' || status === 'cancelled' ? status : 'failed',
    text,
    asked: turn[0]!.id,
    head: turn.findLast(({ kind }) => kind === 'assistant' || kind === 'tool' || kind === 'user')!.id,
    calls: callsIn(turn).filter(({ receipt }) => !counted.has(receipt)),
    ...(reason && { reason: withSeedFix(reason, turn[0]!) }),
  }
}

function callsIn(turn: readonly StoredEntry[]): readonly ModelCall[] {
  return receiptsOf(turn).map(({ id, hash, tokens: { predicted, reported }, outcome, verdicts, turn: own, window }) => {
    const isVain = outcome === 'failed' || outcome === 'cancelled' || outcome === 'refused'
    // A call without an answer cost nothing, unless its receipt says otherwise.
    return {
      receipt: id,
      hash,
      prompt: reported.prompt ?? (isVain ? 0 : predicted),
      completion: reported.completion ?? 0,
      verdicts,
      ...(own && { turn: own }),
      ...(window && { window }),
      ...(isVain && { isVain }),
    }
  })
}

/** A run in progress: its rules, its log, and its runtime. */
export interface RunContext {
  readonly runtime: ExperimentRuntime
  readonly log: RunLog
  readonly experiment: Experiment
  readonly begun: Begun
}

/** The options of a participant's thread: the same for the sender and the runner of the turn. */
export async function seatOptions(
  { runtime, log, experiment, begun }: RunContext,
  name: string,
): Promise<ThreadOptions> {
  const { model: choice, ...others } = experiment.participants[name]!
  if (!choice) return personOptions({ runtime, log, experiment, begun }, name)
  const participant = { ...others, model: seatModel(choice) }
  const given = await runtime.thread({ run: log.run, name, participant, experiment })
  const own = participantTools({ experiment, participant: name, seed: begun.seed, log, store: runtime.store })
  const registered = (given.tools ?? []).filter(
    (tool) => participant.tools?.includes(tool.name) && !own.some((known) => known.name === tool.name),
  )
  const model =
    begun.answers === undefined || !given.model
      ? given.model
      : recordedModel(given.model, runtime.store, {
          from: participantThread(begun.answers, name),
          into: participantThread(log.run, name),
        })
  return {
    clock: runtime.clock,
    journal: false,
    ...given,
    model,
    system: participant.system,
    tools: [...own, ...registered],
  }
}

/** The same for a person, who needs nothing of the runtime's models. */
function personOptions({ runtime, log, experiment, begun }: RunContext, name: string): ThreadOptions {
  const { system } = experiment.participants[name]!
  const thread = participantThread(log.run, name)
  return {
    clock: runtime.clock,
    journal: false,
    notes: 'off',
    window: personWindow,
    tools: [askUser],
    model:
      begun.answers === undefined
        ? personModel(runtime.store, thread, system)
        : repeatedPerson(runtime.store, { from: participantThread(begun.answers, name), into: thread }),
  }
}

/** Tokens. No model reads the prompt, so it only has to hold any question. */
const personWindow = 1_000_000

function isPerson({ experiment }: RunContext, participant: string): boolean {
  return experiment.participants[participant]?.person === true
}

/** What experiments are run with. */
export interface ExperimentRuntime {
  readonly store: Store
  readonly queue: TurnQueue
  readonly book: Book
  readonly clock: Clock
  /** Makes the experiment of a run from its record; the same each time. Throws if that is not possible here. */
  readonly experiment: (begun: Begun) => Experiment | Promise<Experiment>
  /** How a participant's turns are run: its model and window, and the tools that are not of the experiment. Not asked for persons. */
  readonly thread: (seat: ParticipantSeat) => ThreadOptions | Promise<ThreadOptions>
  /** Turns of one run that are under way at once, at most. Default: as many as play in parallel. */
  readonly atOnce?: number | undefined
}

/** A participant of a run for whom a model answers. */
export interface ParticipantSeat {
  readonly run: string
  readonly name: string
  readonly participant: Participant & { readonly model: SeatModel }
  readonly experiment: Experiment
}
