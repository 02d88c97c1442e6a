import type { Entry, Model, ThreadOptions, TurnResult } from 'minutebook'
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

/** A server that takes a seed takes one above zero that a signed integer of 32 bits can hold. */
const largest = 2 ** 31 - 1

/**
 * Why a turn failed. Some servers refuse a seed, and the file of the experiment does not show that one is sent: so if the
 * call had a seed that comes from the run, the fix says how to send none. `asked`: the question of the turn.
 */
export function withSeedFix(reason: FailureReason, asked: Pick<Entry, 'options'>): FailureReason {
  const mayBeTheSeed = reason.code === 'model_refused' && refusals.test(reason.message)
  if (!mayBeTheSeed || asked.options?.seed === undefined) return reason
  return {
    ...reason,
    fix: `If the server takes no seed, write model.seed: none for this participant and begin another run. ${reason.fix ?? ''}`.trim(),
  }
}

type FailureReason = NonNullable<TurnResult['reason']>

/** The statuses with which servers refuse a field that they do not know. */
const refusals = /\(status (400|422)\)/

/** How its model is asked. The seed is there only if it has one of its own. */
export type SeatModel = ModelChoice & { readonly seed?: number | undefined }

/**
 * How a participant's model is asked. A seed that is stated among the options for its server becomes the seed of its
 * calls: it is sent in the same field, and receipts and the manifest have it.
 */
export function seatModel(choice: ModelChoice): SeatModel {
  const { seed: own, options, ...asked } = choice
  const { seed: inner, ...others } = options ?? {}
  const stated = own ?? inner
  return {
    ...asked,
    ...(options && { options: Number.isSafeInteger(inner) ? others : options }),
    ...(typeof stated === 'number' && Number.isSafeInteger(stated) && { seed: stated }),
  }
}

/**
 * The seed that a participant states, which the seed of a run does not change. Undefined if it states none.
 *
 * @example
 * statedSeed({ name: 'gemma3:4b', seed: 7 }) // 7
 */
export function statedSeed({ seed, options }: ModelChoice): Value | undefined {
  return seed ?? options?.['seed']
}
