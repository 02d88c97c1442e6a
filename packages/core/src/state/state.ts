import { asEntries, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { callsOf, matchCall } from '../log/exchange.ts'
import { maxJsonDepth, parseJson } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { parsedCall, type Call, type Message, type ParsedCall } from '../log/message.ts'
import { isUnclearTombstone } from '../log/open-call.ts'
import { noCalls, type UnansweredCalls } from '../log/unanswered-calls.ts'

/**
 * What do the tool results of a log add up to? A reader computes that as a value of type T. It has no state itself, so
 * all threads can share it.
 */
export interface StateReader<T> {
  readonly name: string
  readonly version: number
  /** The state before any result. */
  readonly initial: T
  /**
   * Returns the state after a result of `call`. Returns the same state if the reader does not use that tool, or if the
   * result does not fit the schema.
   */
  apply(state: T, entry: Entry, call: Call): T
}

/** How far a state has been folded. If the state is plain data, this is too: it can be stored and continued. */
export interface StateFold<T> {
  readonly value: T
  /** The newest chained entry that was folded, or null before the first. */
  readonly head: string | null
  /** Calls of this log's model that wait for their results. */
  readonly open: readonly Call[]
}

/**
 * The state of a branch, oldest entry first. Only a tool's first result for a call of this log's own model counts. What
 * a client claims, repeats or sends late is ignored.
 *
 * Also takes plain messages, as `compile` does. Then every first result for a call counts, and the caller vouches for
 * them: a client can make results up. `book.answer` with `seals` does not have to trust the client.
 *
 * @example
 * stateOf(hypothesis, history(log)) // now
 * stateOf(hypothesis, history(log, { head: entry.id })) // as of an entry
 * stateOf(hypothesis, request.messages) // the caller vouches for them
 */
export function stateOf<T>(reader: StateReader<T>, conversation: readonly (Message | Entry)[]): T {
  return foldState(reader, asEntries(conversation)).value
}

/**
 * Continues a fold with the entries that follow it on its branch. Default: starts from the beginning.
 *
 * @example
 * const before = foldState(hypothesis, entries)
 * const after = foldState(hypothesis, newEntries, before)
 */
export function foldState<T>(
  reader: StateReader<T>,
  entries: readonly Entry[],
  from: StateFold<T> = startOf(reader),
): StateFold<T> {
  let { value, head } = from
  let open = callsOf({ calls: from.open })
  for (const entry of entries) {
    if (!traits[entry.kind].chained) continue
    if (entry.parent !== head) throw notABranchError(entry)
    const settled = settle(entry, open)
    if (settled.answered && entry.origin === 'tool' && entry.status === 'complete')
      value = reader.apply(value, entry, settled.answered)
    head = entry.id
    open = settled.open
  }
  return { value, head, open: open.calls }
}

function startOf<T>(reader: StateReader<T>): StateFold<T> {
  return { value: reader.initial, head: null, open: [] }
}

/** The call that an entry answers, and the calls that are open after it. */
export function settle(
  entry: Entry,
  open: UnansweredCalls,
): { readonly answered?: Call | undefined; readonly open: UnansweredCalls } {
  if (entry.kind !== 'tool')
    return { open: entry.origin === 'model' && entry.status === 'complete' ? callsOf(entry) : noCalls }
  // Only Minutebook and its tools can answer a call: a result from elsewhere does not replace the real one.
  if (entry.origin !== 'tool' && entry.origin !== 'minutebook') return { open }
  // A tombstone no longer says which call it answered, but the other results still do.
  if (isUnclearTombstone(entry, open)) return { open }
  const place = matchCall(entry, open)
  return place.orphan ? { open } : { answered: place.answers, open: place.open }
}

function notABranchError({ seq }: Entry): MinutebookError {
  return new MinutebookError(
    'not_a_branch',
    `Entry ${seq} does not follow the entry before it.`,
    'Pass the entries of one branch from its start, such as history(log, { head }).',
    { seq },
  )
}

/** How the results of one tool become state. */
export interface StateTool<S extends Schema, T> {
  /** What a result must be to count. Its text is checked as parsed JSON first, then as plain text. */
  readonly schema: S
  /** Pure and synchronous. Default: the newest result that fits is the state. */
  readonly reduce?: Reducer<S, T>
}

export type Reducer<S extends Schema, T> = (state: T, result: SchemaOutput<S>, about: ResultFacts) => T

/** Where a result comes from. */
export interface ResultFacts {
  readonly entry: Entry
  readonly call: ParsedCall
}

/** The name of a state, its initial value, and the tools it is made from. */
export interface StateDefinition<S extends Schemas, T> {
  readonly name: string
  /** Default: 1. Raise it with every change to schemas or reducers: snapshots of the old version are then ignored. */
  readonly version?: number
  /** Plain data. Default: undefined. Inside of it use null instead of undefined, because JSON keeps null. */
  readonly initial?: T
  /** By the name of the tool. */
  readonly tools: { readonly [Name in keyof S]: StateTool<S[Name], NoInfer<T>> & Needed<S[Name], NoInfer<T>> }
}

type Schemas = Readonly<Record<string, Schema>>
type Newest<S extends Schemas> = SchemaOutput<S[keyof S]> | undefined
/** A tool needs a reducer if its results are not states themselves. */
type Needed<S extends Schema, T> = SchemaOutput<S> extends T ? unknown : { readonly reduce: Reducer<S, T> }

/**
 * Defines a typed reader of state: a fold over the tool results in a log. Nothing else is stored anywhere.
 *
 * @example
 * const hypothesis = defineState({
 *   name: 'hypothesis',
 *   tools: { generate_hypotheses: { schema: z.object({ claim: z.string() }) } },
 * })
 * stateOf(hypothesis, history(log))?.claim
 *
 * const basket = defineState({
 *   name: 'basket',
 *   initial: { items: [] as string[] },
 *   tools: {
 *     add: {
 *       schema: z.object({ item: z.string() }),
 *       reduce: (state, { item }) => ({ items: [...state.items, item] }),
 *     },
 *     clear: { schema: z.unknown(), reduce: () => ({ items: [] }) },
 *   },
 * })
 */
export function defineState<S extends Schemas, T = Newest<S>>(definition: StateDefinition<S, T>): StateReader<T> {
  const { name, version = 1 } = definition
  if (typeof name !== 'string' || name === '')
    throw invalidStateError('it has no name', 'Pass a text that is not empty.')
  if (!Number.isSafeInteger(version) || version < 0)
    throw invalidStateError('its version is not a whole number', 'Count up from 1.')
  const tools = rulesOf<T>(definition.tools)
  return {
    name,
    version,
    // A reader is shared by all threads. Because its initial value is frozen, one thread cannot change what another
    // reads.
    initial: frozenCopy(definition.initial, () =>
      invalidStateError(
        'its initial value is not plain data',
        'Pass objects, lists, texts, numbers, booleans, null or undefined.',
      ),
    ) as T,
    apply: (state, entry, call) => {
      const rule = tools.get(call.name)
      if (!rule) return state
      return applied(rule, state, { entry, call: parsedCall(call) }, { state: name, tool: call.name, seq: entry.seq })
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
  return inTime(
    attempt(() => rule.reduce!(state, valid.value, about), 'reducer', where),
    'reducer',
    where,
  )
}

/** The result as the schema returns it. Undefined if it does not fit. */
function validated(schema: Schema, text: string, where: Where): { readonly value: unknown } | undefined {
  const parsed = parseJson(text)
  for (const value of parsed === undefined ? [text] : [parsed, text]) {
    const outcome = inTime(
      attempt(() => schema['~standard'].validate(value), 'schema', where),
      'schema',
      where,
    )
    if (!outcome.issues) return outcome
  }
  return undefined
}

/** The thrown error may quote the result, so only its class is shown. */
function attempt<V>(run: () => V, part: 'schema' | 'reducer', where: Where): V {
  try {
    return run()
  } catch (error) {
    const thrown = error instanceof Error ? error.constructor.name : typeof error
    throw new MinutebookError(
      'state_failed',
      `State ${where.state}: the ${part} for tool ${where.tool} threw (${thrown}) when it processed the result at entry ${where.seq}.`,
      `The ${part} must not throw and must not write to what it is given. Run it on that entry to see why.`,
      { ...where, part, thrown },
    )
  }
}

function inTime<V>(value: V | Promise<V>, part: 'schema' | 'reducer', where: Where): V {
  if (!isPromise(value)) return value
  // The promise is not awaited, so its rejection must be handled here.
  value.then(undefined, () => undefined)
  throw new MinutebookError(
    'state_asynchronous',
    `State ${where.state}: the ${part} for tool ${where.tool} returned a promise, but states are computed synchronously.`,
    'Checks and transforms of a state must be synchronous and must not throw. Put all others into the tool.',
    { ...where, part },
  )
}

function isPromise<V>(value: V | Promise<V>): value is Promise<V> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** A map, so that a tool may have any name. */
function rulesOf<T>(tools: Readonly<Record<string, unknown>>): ReadonlyMap<string, Rule<T>> {
  const rules = new Map(Object.entries(tools ?? {})) as Map<string, Rule<T>>
  if (rules.size === 0) throw invalidStateError('it has no tools', 'Pass { tools: { name: { schema } } }.')
  for (const [tool, rule] of rules) {
    if (typeof rule?.schema?.['~standard']?.validate !== 'function')
      throw invalidStateError(
        `its tool ${tool} has no schema`,
        'Pass one that follows Standard Schema, such as one of zod.',
      )
  }
  return rules
}

function invalidStateError(what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_state', `The state cannot be defined: ${what}.`, fix)
}

/** A validator of any library that follows the Standard Schema convention: zod, valibot, arktype, … */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly output: Output } | undefined
    /** Writes itself as JSON Schema, if the library can (Standard JSON Schema): zod 4.2 or later, arktype, … */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-07' }) => object } | undefined
  }
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

export type SchemaOutput<S extends Schema> = NonNullable<S['~standard']['types']>['output']

/**
 * A frozen copy of plain data. For anything else throws the error of `refuse`, because a map or a class cannot be
 * frozen.
 */
function frozenCopy(value: unknown, refuse: () => Error, levels: number = maxJsonDepth): unknown {
  if (typeof value === 'function' || levels === 0) throw refuse()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, refuse, levels - 1)))
  if (!isRecord(value)) throw refuse()
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, field]) => [key, frozenCopy(field, refuse, levels - 1)])),
  )
}

export function isRecord(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0
}
