import { parseJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Call } from '../log/message.ts'
import { frozenCopy } from './plain.ts'
import type { OutputOf, Schema } from './schema.ts'
import type { StateReader } from './state.ts'

/** How the results of one tool become state. */
export interface StateTool<S extends Schema, T> {
  /** What a result must be to count: checked against the JSON that its text is, then against the text itself. */
  readonly schema: S
  /** Pure and synchronous. Without one the newest result that fits is the state. */
  readonly reduce?: Reduce<S, T>
}

export type Reduce<S extends Schema, T> = (state: T, result: OutputOf<S>, about: ResultFacts) => T

/** Where a result comes from. */
export interface ResultFacts {
  readonly entry: Entry
  readonly call: Call
}

/** What a state is called, begins as, and is made of. */
export interface StateDefinition<S extends Schemas, T> {
  readonly name: string
  /** 1 where nothing is said. Raise it with every change to schemas or reducers: what was worked out before is then forgotten. */
  readonly version?: number
  /** Plain data; undefined where nothing is said. Null is better than undefined within it: JSON keeps null. */
  readonly initial?: T
  /** By the name of the tool. */
  readonly tools: { readonly [Name in keyof S]: StateTool<S[Name], NoInfer<T>> & Needed<S[Name], NoInfer<T>> }
}

type Schemas = Readonly<Record<string, Schema>>
type Newest<S extends Schemas> = OutputOf<S[keyof S]> | undefined
/** A tool whose results are not states themselves needs a reducer. */
type Needed<S extends Schema, T> = OutputOf<S> extends T ? unknown : { readonly reduce: Reduce<S, T> }

/**
 * A typed reader of state: a fold over the tool results in a log. Nothing else is remembered anywhere.
 *
 * @example
 * const hypothesis = defineState({ name: 'hypothesis', tools: { generate_hypotheses: { schema: z.object({ claim: z.string() }) } } })
 * stateOf(hypothesis, history(log))?.claim
 *
 * const basket = defineState({
 *   name: 'basket',
 *   initial: { items: [] as string[] },
 *   tools: {
 *     add: { schema: z.object({ item: z.string() }), reduce: (state, { item }) => ({ items: [...state.items, item] }) },
 *     clear: { schema: z.unknown(), reduce: () => ({ items: [] }) },
 *   },
 * })
 */
export function defineState<S extends Schemas, T = Newest<S>>(definition: StateDefinition<S, T>): StateReader<T> {
  const { name, version = 1 } = definition
  if (typeof name !== 'string' || name === '') throw invalid('it has no name', 'pass a text that is not empty')
  if (!Number.isSafeInteger(version) || version < 0) throw invalid('its version is not a whole number', 'count up from 1')
  const tools = rulesOf<T>(definition.tools)
  return {
    name,
    version,
    // A reader is shared by all threads. Frozen, its initial value cannot carry what one of them wrote to another.
    initial: frozenCopy(definition.initial, () => invalid('its initial value is not plain data', 'pass objects, lists, texts, numbers, booleans, null or undefined')) as T,
    apply: (state, entry, call) => {
      const rule = tools.get(call.name)
      return rule ? applied(rule, state, { entry, call }, { state: name, tool: call.name, seq: entry.seq }) : state
    },
  }
}

type Rule<T> = StateTool<Schema, T>

interface Where {
  readonly state: string
  readonly tool: string
  readonly seq: number
}

function applied<T>(rule: Rule<T>, state: T, about: ResultFacts, where: Where): T {
  const valid = validated(rule.schema, about.entry.text, where)
  if (!valid) return state
  if (!rule.reduce) return valid.value as T
  return inTime(attempt(() => rule.reduce!(state, valid.value, about), 'reducer', where), 'reducer', where)
}

/** The result as the schema sees it; undefined where it does not fit. */
function validated(schema: Schema, text: string, where: Where): { readonly value: unknown } | undefined {
  const parsed = parseJson(text)
  for (const value of parsed === undefined ? [text] : [parsed, text]) {
    const outcome = inTime(attempt(() => schema['~standard'].validate(value), 'schema', where), 'schema', where)
    if (!outcome.issues) return outcome
  }
  return undefined
}

/** What was thrown may quote the result, so only its class is told. */
function attempt<V>(run: () => V, part: 'schema' | 'reducer', where: Where): V {
  try {
    return run()
  } catch (error) {
    const thrown = error instanceof Error ? error.constructor.name : typeof error
    throw new MinutebookError(
      'state_failed',
      `The ${part} of tool ${where.tool} in state ${where.state} threw (${thrown}) on the result at entry ${where.seq}; it must not throw and must not write to what it is given. Run it on that entry to see why.`,
      { ...where, part, thrown },
    )
  }
}

function inTime<V>(value: V | Promise<V>, part: 'schema' | 'reducer', where: Where): V {
  if (!isPromise(value)) return value
  // Nobody waits for it, so nobody would catch what it throws.
  value.then(undefined, () => undefined)
  throw new MinutebookError(
    'state_asynchronous',
    `The ${part} of tool ${where.tool} in state ${where.state} answered with a promise, and state is worked out synchronously; leave out asynchronous checks and transforms, and what throws in them: do them in the tool.`,
    { ...where, part },
  )
}

function isPromise<V>(value: V | Promise<V>): value is Promise<V> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** A map, so that a tool may have any name. */
function rulesOf<T>(tools: Readonly<Record<string, unknown>>): ReadonlyMap<string, Rule<T>> {
  const rules = new Map(Object.entries(tools ?? {})) as Map<string, Rule<T>>
  if (rules.size === 0) throw invalid('it has no tools', 'pass { tools: { name: { schema } } }')
  for (const [tool, rule] of rules) {
    if (typeof rule?.schema?.['~standard']?.validate !== 'function') throw invalid(`its tool ${tool} has no schema`, 'pass one that follows Standard Schema, such as one of zod')
  }
  return rules
}

function invalid(what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_state', `The state cannot be defined: ${what}; ${fix}.`)
}
