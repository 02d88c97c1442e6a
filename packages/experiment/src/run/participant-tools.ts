import { MinutebookError, type Store, type Tool, type ToolContext } from 'minutebook'
import { interruptions } from 'minutebook/inspect'
import { parseJson } from 'minutebook/store'
import { checkChanges, environmentFor, environmentOf } from './environment.ts'
import type { CallFacts, CallInput, Changes, Environment, Experiment, ExperimentTool, Value } from './experiment.ts'
import { isUnsuccessful, standingOf, tellOf, tellTool } from './next-move.ts'
import { oneSpeaker, seenBy, valueText } from './participant-view.ts'
import { createWork, seeded, type Work } from './random.ts'
import {
  callKey,
  turnKey,
  type Applied,
  type CallPlace,
  type Effect,
  type Recorded,
  type RunEvent,
  type RoundStart,
  type TurnPlace,
} from './run-event.ts'
import type { RunLog } from './run-log.ts'

/** Whose tools they are, and where what they do is kept. */
export interface Hand {
  readonly experiment: Experiment
  readonly participant: string
  readonly seed: number
  readonly log: RunLog
  readonly store: Store
}

/**
 * The tools of a participant. The effect of a call is recorded in the run's log before the model gets the result, so
 * that it is done once, also after a crash. Calls of one answer are done one after the other, in its order.
 */
export function participantTools(hand: Hand): Tool[] {
  const { experiment, participant } = hand
  const seated = experiment.participants[participant]!
  const own = Object.entries(experiment.tools ?? {}).filter(([name]) => seated.tools?.includes(name))
  const tell = tellOf(seated)
  const inOrder = createQueue()
  return [...own, ...(tell ? [[tellTool, tell] as const] : [])].map(([name, tool]): Tool => ({
    name,
    parameters: tool.parameters,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.timeout !== undefined && { timeout: tool.timeout }),
    mayRepeat: true,
    run: (input, context) => inOrder(() => call(hand, name, tool, input as CallInput, context)),
  }))
}

/** One after the other, in the order in which they are asked for. */
function createQueue(): (work: () => Promise<unknown>) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

async function call(
  hand: Hand,
  name: string,
  tool: ExperimentTool,
  input: CallInput,
  context: ToolContext,
): Promise<unknown> {
  const place = await placeOf(hand, context)
  const known = await effectAt(hand, place)
  if (known) return answerOf(known)
  const effect = await perform(hand, name, tool, input, context, place)
  await hand.log.record([effect])
  // Another runner may have been faster: what is recorded is what happened.
  const happened = context.signal.aborted ? effect : ((await effectAt(hand, place)) ?? effect)
  // Last, since nothing is awaited after it: the model of a call that was given up is told that it had no result.
  if (context.signal.aborted) await hand.log.record([{ type: 'undone', ...place }])
  return answerOf(happened)
}

async function perform(
  hand: Hand,
  name: string,
  tool: ExperimentTool,
  input: CallInput,
  { thread, idempotencyKey, term, signal }: ToolContext,
  place: CallPlace,
): Promise<Effect> {
  const { log } = hand
  const events = await log.events()
  const facts = factsOf(hand.seed, place, input, createWork())
  const environment = environmentFor(events, place)
  const base = { type: 'effect', ...place, tool: name, input, result: null, changes: {} } as const
  try {
    const refusal = tool.refusal?.(environment, facts())
    if (refusal !== undefined) return { ...base, told: refusal, status: 'refused' }
  } catch (error) {
    return { ...base, ...undoable(error) }
  }
  if (tool.run && !tool.mayRepeat) {
    if (events.some((event) => event.type === 'calling' && callKey(event) === callKey(place)))
      return { ...base, told: interruptions.unknown, status: 'interrupted' }
    await log.record([{ type: 'calling', ...place }])
  }
  try {
    const given = tool.run
      ? plainValue(await tool.run(input, { ...facts(), thread, environment, idempotencyKey, term, signal }))
      : null
    if (signal.aborted) throw new MinutebookError('tool_aborted', 'The call was given up.', '')
    return { ...base, ...changed(hand, tool, { environment, facts, given }) }
  } catch (error) {
    if (signal.aborted) throw error
    const told = reasonOf(error)
    const reason = trueReasonOf(error)
    return { ...base, told, status: 'failed', ...(reason !== told && { reason }) }
  }
}

/**
 * What a call changes, and what its participant is told of it: not why it failed, which may name what the participant
 * does not see.
 */
function changed(
  { experiment, participant }: Hand,
  tool: ExperimentTool,
  {
    environment,
    facts,
    given,
  }: { readonly environment: Environment; readonly facts: () => CallFacts; readonly given: Value },
): Pick<Effect, 'result' | 'changes' | 'told' | 'status' | 'reason'> {
  try {
    const changes = checkChanges(experiment, tool.changes?.(environment, { ...facts(), result: given }) ?? {})
    return {
      result: given,
      changes,
      told: tool.run ? valueText(given) : changedText(experiment, participant, changes),
      status: 'done',
    }
  } catch (error) {
    return { result: given, changes: {}, ...undoable(error) }
  }
}

function undoable(error: unknown): Pick<Effect, 'told' | 'status' | 'reason'> {
  return { told: 'this could not be done', status: 'failed', reason: trueReasonOf(error) }
}

/** What a call goes by: the same chance whenever it is asked, and one limit for all the work. */
function factsOf(seed: number, place: CallPlace, input: CallInput, work: Work): () => CallFacts {
  return () => ({
    round: place.round,
    participant: place.participant,
    input,
    random: seeded(seed, callKey(place)),
    work,
  })
}

/** A refusal and a failure are reported as failures of the call. */
function answerOf({ told, status }: Effect): string {
  if (status === 'done' || status === 'interrupted') return told
  throw new MinutebookError('call_failed', told, '')
}

async function effectAt({ log }: Hand, place: CallPlace): Promise<Effect | undefined> {
  return (await log.events()).find(
    (event): event is Recorded<Effect> => event.type === 'effect' && callKey(event) === callKey(place),
  )
}

/**
 * Which call of which turn it is, from the record. Messages to a participant from outside of the run are not part of
 * it.
 */
async function placeOf({ participant, log, store }: Hand, { thread, index }: ToolContext): Promise<CallPlace> {
  const place = turnUnderWay(await log.events(), participant)
  const asked = (await store.read(thread, { key: turnKey(place) })).at(-1)
  const turn = asked ? await store.read(thread, { from: asked.seq }) : []
  if (turn.filter(({ kind }) => kind === 'user').length !== 1)
    throw new MinutebookError(
      'not_in_run',
      'The tools of an experiment work in its rounds only, and this question was asked outside of them.',
      'Ask without tools, or let the run ask.',
    )
  const answers = turn.filter(({ kind, calls }) => kind === 'assistant' && calls.length > 0)
  const earlier = answers.slice(0, -1).reduce((sum, { calls }) => sum + calls.length, 0)
  return { ...place, call: earlier + index }
}

function turnUnderWay(events: readonly RunEvent[], participant: string): TurnPlace {
  const { round } = standingOf(events)
  return {
    round,
    participant,
    turn: events.filter(
      (event) =>
        event.type === 'played' && event.round === round && event.participant === participant && !isUnsuccessful(event),
    ).length,
  }
}

/** What changed, as far as the participant sees it. */
function changedText(experiment: Experiment, participant: string, changes: Changes): string {
  const seen = new Set(seenBy(experiment, participant))
  const lines = Object.entries(changes)
    .filter(([name]) => seen.has(name))
    .map(([name, value]) => `${name}: ${oneSpeaker(valueText(value))}`)
  return lines.length > 0 ? lines.join('\n') : 'Done.'
}

/** As JSON has it: what cannot be kept is nothing. */
function plainValue(value: unknown): Value {
  return value === undefined ? null : ((parseJson(JSON.stringify(value) ?? 'null') ?? null) as Value)
}

/** The true reason of an error, for readers that may know it. */
function trueReasonOf(error: unknown): string {
  const { reason } = MinutebookError.isInstance(error) ? error.details : {}
  return typeof reason === 'string' ? reason : reasonOf(error)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it threw something that is not an error'
}

/**
 * The result of a parallel round, once all are done: each call in the order of play, on what those before it have left.
 * What is no longer possible is not done. Empty in other play, where calls applied at once.
 */
export function appliedIn(
  experiment: Experiment,
  { round, play, order }: RoundStart,
  events: readonly RunEvent[],
  seed: number,
): readonly Applied[] {
  if (play !== 'parallel') return []
  const work = createWork()
  let environment = environmentOf(events)
  const effects = events.filter(
    (event): event is Effect => event.type === 'effect' && event.round === round && event.status === 'done',
  )
  const inOrder = effects.toSorted(
    (left, right) => order.indexOf(left.participant) - order.indexOf(right.participant) || left.call - right.call,
  )
  return inOrder.flatMap(({ participant, turn, call, tool: name, input, result }): Applied[] => {
    const tool = experiment.tools?.[name]
    if (!tool?.changes) return []
    const place = { round, participant, turn, call }
    const facts = factsOf(seed, place, input, work)
    try {
      const refused = tool.refusal?.(environment, facts())
      if (refused !== undefined) return [{ ...place, refused }]
      const changes = checkChanges(experiment, tool.changes(environment, { ...facts(), result }))
      environment = { ...environment, ...changes }
      return [{ ...place, changes }]
    } catch {
      return [{ ...place, refused: 'this could no longer be done' }]
    }
  })
}
