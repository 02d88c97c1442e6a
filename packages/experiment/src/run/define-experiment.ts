// What must hold of an experiment before it can be run?
import { MinutebookError } from 'minutebook'
import { isOfType, onlyOfModels, type Experiment } from './experiment.ts'

/**
 * An experiment, checked: every name that it uses is one that it has. Throws `invalid_experiment` with all that is
 * wrong.
 *
 * @example
 * const counting = defineExperiment({
 *   name: 'counting',
 *   environment: { total: { type: 'integer', initial: 0 } },
 *   participants: { ann: { model: { name: 'gemma3:4b' }, tools: ['add'] } },
 *   tools: { add: { parameters: { type: 'object', properties: {} }, changes: ({ total }) => ({ total: Number(total) + 1
 * }) } },
 *   goals: { success: [{ name: 'ten', when: ({ total }) => total === 10 }] },
 * })
 */
export function defineExperiment(experiment: Experiment): Experiment {
  const problems = problemsOf(experiment)
  if (problems.length > 0)
    throw new MinutebookError(
      'invalid_experiment',
      `This experiment cannot be run. ${problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n')}`,
      '',
      { problems },
    )
  return experiment
}

/** A mistake in an experiment, and its place. */
export interface Problem {
  /** Such as `participants.ann.sees[0]`. */
  readonly field: string
  readonly problem: string
}

/** Everything that is wrong with an experiment, however it was written. */
export function problemsOf({
  name,
  environment,
  participants,
  tools = {},
  rounds = [],
  limits = {},
  seed = 1,
}: Experiment): Problem[] {
  const names = Object.keys(participants)
  const problems: Problem[] = []
  const say = (field: string, problem: string): void => void problems.push({ field, problem })
  const known = (field: string, given: readonly string[] | undefined, among: readonly string[], what: string): void =>
    given?.forEach((one, index) => {
      if (!among.includes(one))
        say(`${field}[${index}]`, `there is no ${what} "${one}"; there are: ${among.join(', ') || 'none'}`)
      else if (given.indexOf(one) < index) say(`${field}[${index}]`, `"${one}" is listed twice; leave one out`)
    })
  if (name === '') say('name', 'it is empty; give the experiment a name')
  if (!Number.isSafeInteger(seed)) say('seed', 'it is not a whole number; pass one')
  if (names.length === 0) say('participants', 'there are none; add one')
  for (const [variable, { type, initial }] of Object.entries(environment)) {
    if (!isName.test(variable)) say(`environment.${variable}`, nameRule)
    if (!isOfType(type, initial))
      say(`environment.${variable}.initial`, `${JSON.stringify(initial)} is not of type ${type}; change one of them`)
  }
  for (const [who, participant] of Object.entries(participants)) {
    const { sees, tells, tools: own = [], model, person } = participant
    if (!isName.test(who)) say(`participants.${who}`, nameRule)
    if (!model && !person) say(`participants.${who}`, 'it has neither a model nor `person: true`; write one of them')
    for (const field of onlyOfModels)
      if (person && participant[field] !== undefined)
        say(`participants.${who}.${field}`, 'a person has none; leave it out')
    known(`participants.${who}.sees`, sees, Object.keys(environment), 'variable')
    known(
      `participants.${who}.tells`,
      tells,
      names.filter((other) => other !== who),
      'other participant',
    )
    if (own.includes('tell') || tools['tell'])
      say(
        `participants.${who}.tools`,
        'the tool "tell" is there by itself where a participant has `tells`; name yours otherwise',
      )
    own.forEach(
      (tool, index) =>
        own.indexOf(tool) < index &&
        say(`participants.${who}.tools[${index}]`, `"${tool}" is listed twice; leave one out`),
    )
  }
  rounds.forEach((round, index) => {
    known(`rounds[${index}].participants`, round.participants, names, 'participant')
    if (round.participants?.length === 0)
      say(`rounds[${index}].participants`, 'it is empty; name a participant, or leave it out for all')
  })
  for (const [limit, value] of Object.entries(limits))
    if (value !== undefined && !(value > 0)) say(`limits.${limit}`, 'it must be above zero; leave it out for none')
  return problems
}

/** Of variables and participants: words that are valid in texts, ids and expressions. */
const isName = /^[A-Za-z][A-Za-z0-9_]{0,39}$/
const nameRule = 'this name has other than letters, digits and _, or more than 40 of them; use another'
