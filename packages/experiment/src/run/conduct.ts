import { MinutebookError } from 'minutebook'
import { checkChanges, environmentOf } from './environment.ts'
import type { Changes, Experiment, Hooks } from './experiment.ts'
import { isOver, nextMove, standingOf, type Move } from './next-move.ts'
import { appliedIn } from './participant-tools.ts'
import { planOf } from './participant-view.ts'
import { takeTurn, type ExperimentRuntime, type RunContext } from './play-turn.ts'
import { createWork, seeded } from './random.ts'
import { placeAfter, roundIn, turnKey, type Begun, type Recorded, type RunEvent } from './run-event.ts'
import { participantThread, runThread, type RunLog } from './run-log.ts'

/**
 * Takes a run as far as it goes by itself: until participants play, or it rests. It has its own term, so that an
 * earlier runner does nothing more. Everything that it does is recorded or can be done again.
 */
export async function conduct(runtime: ExperimentRuntime, log: RunLog): Promise<void> {
  const { term } = await runtime.store.claim(runThread(log.run))
  for (;;) {
    const { begun, events } = await log.begun()
    if (isOver(standingOf(events).status)) return
    const experiment = await madeOf(runtime, begun)
    if (typeof experiment === 'string') {
      await cancelTurns(runtime, log, askedIn(events))
      return void (await log.record(
        [{ type: 'ended', outcome: 'error', reason: experiment, at: placeAfter(events) }],
        term,
      ))
    }
    const move = moveOf(experiment, events)
    if (move.do === 'rest') return
    if (move.do === 'end')
      await cancelTurns(runtime, log, move.outcome === 'stopped' ? Object.keys(begun.participants) : askedIn(events))
    const news =
      move.do === 'play'
        ? await played({ runtime, log, experiment, begun }, events, move)
        : [applyRules(experiment, begun, events, move)]
    if (news.length === 0 || !(await log.record(news, term))) return
  }
}

/** The experiment of a run, or why it cannot be made here: after a fix the run can continue. */
async function madeOf({ experiment }: ExperimentRuntime, begun: Begun): Promise<Experiment | string> {
  try {
    return await experiment(begun)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    return `The experiment cannot be run here: ${error.message}`
  }
}

/** A goal that cannot be evaluated ends the run. */
function moveOf(experiment: Experiment, events: readonly RunEvent[]): Move {
  try {
    return nextMove(experiment, events)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { do: 'end', outcome: 'error', reason: `A goal failed: ${error.message}` }
  }
}

/** The turns that are over, or wait from now on. All that are due are asked for, unless they are held. */
async function played(
  table: RunContext,
  events: readonly RunEvent[],
  { turns, isHeld }: Extract<Move, { do: 'play' }>,
): Promise<RunEvent[]> {
  const waiting = new Set(standingOf(events).waiting.map(turnKey))
  const [asked, others] = [
    turns.filter((turn) => waiting.has(turnKey(turn))),
    turns.filter((turn) => !waiting.has(turnKey(turn))),
  ]
  // A turn that waits takes no place. The others are due again when one of these is over.
  const taken = await Promise.all(
    [...asked, ...others.slice(0, table.runtime.atOnce)].map((turn) => takeTurn(table, events, turn, isHeld)),
  )
  return taken.flatMap((over) => over ?? [])
}

/** The persons that were asked. A run that is over asks them no more. */
function askedIn(events: readonly RunEvent[]): readonly string[] {
  return standingOf(events).waiting.map(({ participant }) => participant)
}

/** Running turns are asked to stop. */
async function cancelTurns(runtime: ExperimentRuntime, log: RunLog, participants: readonly string[]): Promise<void> {
  await Promise.all(participants.map((name) => runtime.book.thread(participantThread(log.run, name)).cancel()))
}

/** What the rules change, recorded from now on. A rule that cannot be applied ends the run. */
function applyRules(
  experiment: Experiment,
  begun: Begun,
  events: readonly Recorded[],
  move: Extract<Move, { do: 'round' | 'finish' | 'end' }>,
): RunEvent {
  if (move.do === 'end') return { type: 'ended', outcome: move.outcome, reason: move.reason, at: placeAfter(events) }
  try {
    return move.do === 'round'
      ? roundStarted(experiment, begun, events, move.round)
      : roundEnded(experiment, begun, events, move.round)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return {
      type: 'ended',
      outcome: 'error',
      reason: `The hook of round ${move.round} failed: ${error.message}`,
      at: placeAfter(events),
    }
  }
}

function roundStarted(experiment: Experiment, begun: Begun, events: readonly RunEvent[], round: number): RunEvent {
  const { name = '', play, participants } = planOf(experiment, round)
  return {
    type: 'roundStart',
    round,
    name,
    play,
    order: participants ?? Object.keys(experiment.participants),
    changes: hooked(experiment, 'roundStart', begun, events, round),
  }
}

function roundEnded(experiment: Experiment, begun: Begun, events: readonly RunEvent[], round: number): RunEvent {
  const plan = roundIn(events, round)
  if (!plan) throw new MinutebookError('unknown_round', `Round ${round} never began.`, 'Begin it first.')
  const applied = appliedIn(experiment, plan, events, begun.seed)
  const after: RunEvent = { type: 'roundEnd', round, applied, changes: {} }
  return { ...after, changes: hooked(experiment, 'roundEnd', begun, [...events, after], round) }
}

function hooked(
  experiment: Experiment,
  hook: keyof Hooks,
  { seed }: Begun,
  events: readonly RunEvent[],
  round: number,
): Changes {
  const changes = experiment.hooks?.[hook]?.(environmentOf(events), {
    round,
    random: seeded(seed, `${hook} ${round}`),
    work: createWork(),
  })
  return checkChanges(experiment, changes ?? {})
}
