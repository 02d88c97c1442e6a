import type { Entry, OutputSchema, ModelOptions } from '../log/entry.ts'
import type { MinutebookError } from '../log/error.ts'
import { isTooDeep } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { invalidOptionsError, type OptionNames } from '../log/options.ts'
import type { ModelRequest } from '../models/model.ts'
import { isReceipt, receiptFrom, sentOptions, type SentOptions } from '../receipts/receipt.ts'
import type { Schema } from '../state/state.ts'
import { jsonSchemaOf } from './tool.ts'

/**
 * How is the model asked for an answer? Pass these to a book or a thread for all of its turns, or with a message for its
 * turn. Each option that a message sets replaces the thread's; those of a message are recorded with it.
 */
export interface AskOptions {
  /** From 0, always the likeliest word, to 2. Default: the model's or its server's. */
  readonly temperature?: number | undefined
  /** With the same seed, many servers answer the same prompt with the same text. Default: the server's choice. */
  readonly seed?: number | undefined
  /** The answer ends before the first of these texts, at most 16. Default: none. */
  readonly stop?: readonly string[] | undefined
  /**
   * The form of the answer, which is then JSON: a schema that can write JSON Schema, such as one of zod, or a JSON
   * Schema. The model may still call tools before it answers. Default: the answer is a text.
   */
  readonly output?: Schema | OutputSchema | undefined
}

/** The names of the options above. */
export const askOptions: OptionNames<AskOptions> = { temperature: true, seed: true, stop: true, output: true }

/** A turn asks with at most this many stop texts: a server compares the end of the answer with each, word by word. */
const mostStops = 16
const longestStop = 256
/** Characters of a schema. It is recorded with the message, and sent with every call. */
const longestSchema = 65_536

/**
 * What a caller asks for, as a log can store it. Undefined if nothing is asked. Throws `invalid_options` if an option is
 * of no use.
 */
export function recordableOptions({ temperature, seed, stop, output }: AskOptions): ModelOptions | undefined {
  if (temperature !== undefined && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2))
    throw invalidOptionsError('temperature', 'is not a number from 0 to 2', 'Pass 0 for the likeliest words.')
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw invalidOptionsError('seed', 'is not a whole number that JSON can hold', 'Pass one below 2 to the power 53.')
  if (stop !== undefined) checkStops(stop)
  const options: ModelOptions = {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop: [...stop] }),
    ...(output !== undefined && { output: recordableSchema(output) }),
  }
  return Object.keys(options).length === 0 ? undefined : options
}

function checkStops(stop: readonly unknown[]): void {
  if (!Array.isArray(stop) || stop.length > mostStops)
    throw invalidOptionsError(
      'stop',
      `is not a list of at most ${mostStops} texts`,
      'A server compares the end of the answer with each text, word by word: pass only those that the answer can have.',
    )
  if (!stop.every((text) => typeof text === 'string' && text !== '' && text.length <= longestStop))
    throw invalidOptionsError(
      'stop',
      `has a text that is empty or has more than ${longestStop} characters`,
      'Pass the first characters of what must not be written.',
    )
}

function recordableSchema(output: Schema | OutputSchema): OutputSchema {
  const fix = 'Pass a schema that can write JSON Schema, such as one of zod 4.2 or later, or a JSON Schema.'
  const invalidOutputSchemaError = (why: string): MinutebookError => invalidOptionsError('output', why, fix)
  if (typeof output !== 'object' || output === null || Array.isArray(output))
    throw invalidOutputSchemaError('is not a schema')
  const schema = isSchema(output) ? jsonSchemaOf(output, invalidOutputSchemaError) : output
  if (isTooDeep(schema)) throw invalidOutputSchemaError('nests too deeply')
  const text = jsonOf(schema) ?? ''
  if (text === '') throw invalidOutputSchemaError('cannot be written as JSON')
  if (text.length > longestSchema)
    throw invalidOptionsError(
      'output',
      `has ${text.length} characters as JSON Schema, and at most ${longestSchema} are recorded`,
      'Use a smaller one.',
    )
  return JSON.parse(text) as OutputSchema
}

/** In the order in which it was written: a server lets the model write the properties in the order of the schema. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** True for a schema of a library, false for a JSON Schema. */
export function isSchema(output: Schema | OutputSchema): output is Schema {
  return '~standard' in output
}

/**
 * What the sender of a turn asks for: with its newest retry, or else with its message. A retry is asked as the message
 * was, if it does not say otherwise.
 */
function askedIn(turn: readonly Entry[]): ModelOptions | undefined {
  const retry = turn.findLast(({ kind }) => kind === 'retry')
  return retry?.options ?? messageOptions(turn)
}

/**
 * What was asked with the message of a turn. A history may end with a result: then that is what was sent. A message that
 * waits behind the turn does not count.
 */
export function messageOptions(turn: readonly Entry[]): ModelOptions | undefined {
  return turn.findLast(({ kind, options }) => traits[kind].chained && options !== undefined)?.options
}

/** How one model call of a turn is asked. */
export interface CallOptions {
  readonly request: Pick<ModelRequest, 'options' | 'toolChoice'>
  /** The same for the receipt. Undefined if nothing is asked. */
  readonly sent: SentOptions | undefined
  /** The form that the answer must have although the model is not told. Undefined if it is told, or there is none. */
  readonly wanted: OutputSchema | undefined
}

/**
 * How is the next call of a turn asked? Many servers cannot write calls and a given form in one call. So a model with
 * tools is first asked without the schema. If its answer does not fit, it is asked again with the schema, and must not
 * call tools. That is derived from the log, so it holds after a crash.
 */
export function callOptions(turn: readonly Entry[], usual: ModelOptions = {}, hasTools: boolean): CallOptions {
  const { output, ...others } = { ...usual, ...askedIn(turn) }
  const asked = { ...others, ...(output && { output }) }
  if (Object.keys(asked).length === 0) return { request: {}, sent: undefined, wanted: undefined }
  const isFree = output !== undefined && hasTools && !isUnfit(turn)
  const options = isFree ? others : asked
  return {
    request: {
      ...(Object.keys(options).length > 0 && { options }),
      ...(output && hasTools && !isFree && { toolChoice: 'none' as const }),
    },
    sent: sentOptions(asked, !isFree),
    wanted: isFree ? output : undefined,
  }
}

/** True if the model has answered since the newest retry, but not in the form that was asked for. */
function isUnfit(turn: readonly Entry[]): boolean {
  const since = turn.findLast(({ kind }) => kind === 'retry')?.seq ?? -1
  return turn.some((entry) => entry.seq > since && isReceipt(entry) && receiptFrom(entry).outcome === 'unfit')
}
