import { MinutebookError } from 'minutebook'
import { isOfType, type Changes, type Environment, type Experiment, type Value } from './experiment.ts'
import { roundIn, type Effect, type RunEvent, type TurnPlace } from './run-event.ts'

/** The environment after these events. */
export function environmentOf(events: readonly RunEvent[]): Environment {
  let environment: Environment = {}
  for (const after of environmentsAfter(events)) environment = after
  return { ...environment }
}

/** The environment after each event: the same object each time, changed in place, since a run can be long. */
function* environmentsAfter(events: readonly RunEvent[]): Generator<Environment, void, void> {
  let environment: Record<string, Value> = {}
  let isParallel = false
  for (const event of events) {
    if (event.type === 'begun') environment = { ...event.environment }
    if (event.type === 'roundStart') isParallel = event.play === 'parallel'
    // In parallel play what applies is said when the round is over.
    if (event.type !== 'effect' || !isParallel) Object.assign(environment, ...changesOf(event))
    yield environment
  }
}

/**
 * The environment as a participant has it in its turn: in parallel play what it was when the round began, and what
 * itself did since.
 */
export function environmentFor(
  events: readonly RunEvent[],
  { round, participant }: Pick<TurnPlace, 'round' | 'participant'>,
): Environment {
  const environment = environmentOf(events)
  if (roundIn(events, round)?.play !== 'parallel') return environment
  const own = events.filter(
    (event): event is Effect => event.type === 'effect' && event.round === round && event.participant === participant,
  )
  return own.reduce((before, { changes }) => ({ ...before, ...changes }), environment)
}

/** The environment after each round that is over, and as it was before the first. */
export function environmentsOf(events: readonly RunEvent[]): ReadonlyMap<number, Environment> {
  const found = new Map<number, Environment>()
  let index = 0
  for (const environment of environmentsAfter(events)) {
    const event = events[index++]
    if (event?.type === 'begun') found.set(0, { ...environment })
    if (event?.type === 'roundEnd') found.set(event.round, { ...environment })
  }
  return found
}

/** Throws `invalid_change` for a variable that there is not, or a value that it cannot have. */
export function checkChanges({ environment }: Pick<Experiment, 'environment'>, changes: Changes): Changes {
  for (const [name, value] of Object.entries(changes)) {
    const variable = environment[name]
    if (!variable)
      throw new MinutebookError(
        'invalid_change',
        `There is no variable "${name}" to change.`,
        'Declare it in the environment, or change another.',
        { variable: name },
      )
    if (!isOfType(variable.type, value))
      throw new MinutebookError(
        'invalid_change',
        `The variable "${name}" cannot become ${JSON.stringify(value) ?? 'nothing'}: it is of type ${variable.type}.`,
        'Give it a value of that type.',
        { variable: name },
      )
  }
  return changes
}

function changesOf(event: RunEvent): readonly Changes[] {
  if (event.type === 'roundStart' || event.type === 'effect' || event.type === 'changed') return [event.changes]
  if (event.type !== 'roundEnd') return []
  return [...event.applied.flatMap((applied) => ('changes' in applied ? [applied.changes] : [])), event.changes]
}
