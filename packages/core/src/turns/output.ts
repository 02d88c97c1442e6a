import type { EntryDraft, OutputSchema } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { parseJson, unfenced } from '../log/json.ts'
import { readMessage } from '../log/message.ts'
import type { Finish } from '../models/model.ts'
import type { Schema } from '../state/state.ts'
import { isSchema } from './model-options.ts'
import { isFinal } from './notes.ts'
import { issuesText } from './run-tool.ts'

/**
 * What value does an answer have? The JSON of its text, also if the model put it into a code fence. Undefined if it is
 * not JSON.
 */
export function answerValue(text: string): unknown {
  return parseJson(unfenced(text))
}

/**
 * Whether an answer has the form that was asked for, as far as a runner checks it: its type, and the properties that it
 * must have. The sender has the schema itself, and checks the rest.
 */
function isFitting(value: unknown, { type, required }: OutputSchema): boolean {
  if (value === undefined) return false
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (type !== undefined && !types.some((name) => isOfType(value, name))) return false
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return typeOf(value) !== 'object' || names.every((name) => Object.hasOwn(value as object, String(name)))
}

/** True for an answer of the form that is wanted, or one that is not the last word: with calls, or cut off. */
export function isUsable(drafts: readonly EntryDraft[], finish: Finish, wanted: OutputSchema): boolean {
  const answer = drafts.find(isFinal)
  if (!answer || finish === 'length' || finish === 'filter') return true
  return isFitting(answerValue(readMessage(answer.message).text), wanted)
}

function isOfType(value: unknown, name: unknown): boolean {
  return name === 'integer' ? Number.isInteger(value) : name === typeOf(value)
}

/** The type of a JSON value, as JSON Schema names it. */
function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/**
 * The value of an answer, checked by the schema that was asked for. Throws `invalid_output` if it does not fit. Of a
 * JSON Schema, only the type and the required properties are checked.
 */
export async function checkedOutput(text: string, output: Schema | OutputSchema): Promise<unknown> {
  const value = answerValue(text)
  if (value === undefined) throw invalidOutputError(text, 'it is not JSON')
  if (!isSchema(output)) {
    if (isFitting(value, output)) return value
    throw invalidOutputError(text, 'it has another type, or lacks a required property')
  }
  const checked = await output['~standard'].validate(value)
  if (checked.issues) throw invalidOutputError(text, issuesText(checked))
  return checked.value
}

function invalidOutputError(text: string, problems: string): MinutebookError {
  return new MinutebookError(
    'invalid_output',
    `The answer does not have the form that was asked for: ${problems.slice(0, 2000)}.`,
    'The answer is in the details as text. Retry the turn, or describe the form in the message, too.',
    { text, problems },
  )
}
