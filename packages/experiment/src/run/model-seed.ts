import type { Model, ThreadOptions } from 'minutebook'
import type { Experiment, ModelChoice, Value } from './experiment.ts'
import { seeded } from './random.ts'
import { turnKey, type Begun, type TurnPlace } from './run-event.ts'

/**
 * Which seed do the model calls of a turn get? It is recorded with the question, so that each call of the turn has it,
 * also one that is repeated after a crash. Empty if the participant or the options of its thread have a seed already.
 *
 * @example
 * await seat.send(question, modelSeed({ experiment, begun }, { round: 3, participant: 'ann', turn: 0 }, options))
 */
export function modelSeed(
  { experiment, begun }: { readonly experiment: Experiment; readonly begun: Begun },
  turn: TurnPlace,
  { model, seed: own }: ThreadOptions,
): Pick<ThreadOptions, 'seed'> {
  const choice = experiment.participants[turn.participant]!.model
  const seed = choice && own === undefined ? turnSeed(begun.seed, turn, choice, model?.wire) : undefined
  return seed === undefined ? {} : { seed }
}

/**
 * The seed of a turn. It comes from the seed of the run and the place of the turn, so each instance that runs the turn gets
 * the same one, however often. Other participants and other rounds get other ones: with one seed for
 * all, a model would draw the same random numbers at each of its turns. Undefined if the participant states its own seed
 * or wants none, and in Anthropic's protocol, which has no seed.
 */
export function turnSeed(seed: number, turn: TurnPlace, choice: ModelChoice, wire: Model['wire']): number | undefined {
  return statedSeed(choice) !== undefined || wire === 'anthropic'
    ? undefined
    : seeded(seed, `model ${turnKey(turn)}`).integer(1, largest)
}

/** Every server takes a seed above zero that a signed integer of 32 bits can hold. */
const largest = 2 ** 31 - 1

/**
 * The seed that a participant states, which the seed of a run does not change. Undefined if it states none.
 *
 * @example
 * statedSeed({ name: 'gemma3:4b', seed: 7 }) // 7
 */
export function statedSeed({ seed, options }: ModelChoice): Value | undefined {
  return seed ?? options?.['seed']
}
