import type { Message, ModelOptions } from 'minutebook'
import type { PolicyConfig } from './policy-config.ts'
import type { Random, Work } from './random.ts'

/**
 * Who takes part, in what environment, who plays when, and when it is over. Functions decide; everything else is plain
 * data. Participants play in the order in which they are written.
 */
export interface Experiment {
  readonly name: string
  readonly description?: string | undefined
  /** The seed of a run: of chance in hooks and tools, and of models that state no seed of their own. Default: 1. */
  readonly seed?: number | undefined
  readonly environment: Readonly<Record<string, Variable>>
  readonly participants: Readonly<Record<string, Participant>>
  readonly tools?: Readonly<Record<string, ExperimentTool>> | undefined
  /** Played one after the other, and again from the first. Default: one round in which all play in sequence. */
  readonly rounds?: readonly RoundPlan[] | undefined
  readonly hooks?: Hooks | undefined
  /** Looked at before the first round and after each: failures first, in order. */
  readonly goals?:
    | { readonly success?: readonly Goal[] | undefined; readonly failure?: readonly Goal[] | undefined }
    | undefined
  readonly limits?: Limits | undefined
  /** By the name of a model. Without one, nothing is said of cost. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
}

/** Who takes part: a model answers for it, or it is a person. */
export interface Participant {
  readonly system?: string | undefined
  /** Who answers for it. A person has none. */
  readonly model?: ModelChoice | undefined
  /** At its turn the run waits until someone has answered for it. It can have `system`, `sees` and `hears`. */
  readonly person?: true | undefined
  /** The name of a policy, or the policy itself. */
  readonly policy?: string | PolicyConfig | undefined
  /** Names of tools of the experiment, or of registered tools. */
  readonly tools?: readonly string[] | undefined
  /** Names of variables. Default: all. */
  readonly sees?: readonly string[] | undefined
  /** Whose answers it hears: everybody's, or only what is addressed to it. Default: `addressed`. */
  readonly hears?: 'all' | 'addressed' | undefined
  /** Whom it can address, with the tool `tell`. Default: no participant, and no such tool. */
  readonly tells?: readonly string[] | undefined
  /** What it remembers from before the first round. */
  readonly history?: readonly Message[] | undefined
}

/** What only a participant with a model can have. */
export const onlyOfModels = ['model', 'policy', 'tools', 'tells', 'history'] as const

/** Which model a participant uses, and how it is called. */
export interface ModelChoice extends Omit<ModelOptions, 'seed'> {
  readonly name: string
  /** Sent with every call. `none`: no seed is sent. Default: each turn has one that comes from the seed of the run. */
  readonly seed?: number | 'none' | undefined
  /** Sent along with every call, as they are: what only its server knows. */
  readonly options?: Readonly<Record<string, Value>> | undefined
  /** In tokens. Default: the model's own. */
  readonly window?: number | undefined
  /** Room for the answer, in tokens. */
  readonly reserve?: number | undefined
}

/** How a round is played. */
export interface RoundPlan {
  readonly name?: string | undefined
  /**
   * `sequence`: each sees what those before it did. `parallel`: all see the environment as it was when the round began,
   * and their effects apply in the order of play when all are done. `addressed`: the first plays, then each participant
   * that is told something.
   */
  readonly play: Play
  /** In order. Default: all. */
  readonly participants?: readonly string[] | undefined
  /** What they are asked, beneath what they see. */
  readonly ask?: string | undefined
  /** What they are shown with it, as data URLs. */
  readonly images?: readonly string[] | undefined
}

/** Who plays in a round, and when: one after the other, all at once, or who is addressed. */
export type Play = 'sequence' | 'parallel' | 'addressed'

/** What a function of an experiment gets in addition to the environment. */
export interface RoundFacts {
  /** From 1. */
  readonly round: number
  readonly random: Random
  /** What all functions that are asked one after the other may do together. */
  readonly work?: Work | undefined
}

/** Pure: they run once for each round, and their results are recorded. */
export interface Hooks {
  readonly roundStart?: ((environment: Environment, facts: RoundFacts) => Changes) | undefined
  readonly roundEnd?: ((environment: Environment, facts: RoundFacts) => Changes) | undefined
}

/** What ends a run when it holds. */
export interface Goal {
  readonly name: string
  /** Pure. */
  when(environment: Environment, facts: Pick<RoundFacts, 'round' | 'work'>): boolean
}

/** What ends a run that reaches no goal. */
export interface Limits {
  /** Default: 100. */
  readonly rounds?: number | undefined
  /** Over all model calls, as the models report them, or predicted if they report nothing. */
  readonly tokens?: number | undefined
  /** In the currency of the prices. */
  readonly cost?: number | undefined
  /** Turns of one participant that fail one after the other. Default: 3. */
  readonly errors?: number | undefined
  /** Turns in a round of `addressed` play. Default: 4 for each participant. */
  readonly turns?: number | undefined
}

/** For a million tokens each. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** Something that a participant may ask to be done to the environment, or in the world. */
export interface ExperimentTool {
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /**
   * Whether `run` may run again when a crash left it unknown if it ran. One that may not is answered with
   * "interrupted".
   */
  readonly mayRepeat?: boolean | undefined
  /** Milliseconds after which `run` is given up. */
  readonly timeout?: number | undefined
  /**
   * Why it cannot be done, in words for the participant; undefined if it can. Pure. Called before `run`, and before the
   * changes apply.
   */
  refusal?(environment: Environment, call: CallFacts): string | undefined
  /** What the participant is told. It is recorded, and not run again. Default: what changed that the participant sees. */
  run?(input: CallInput, context: CallContext): unknown
  /**
   * What it changes. Pure: asked once for the participant that calls, and in parallel play again, with what those
   * before it in the order of play have changed.
   */
  changes?(environment: Environment, call: CallFacts & { readonly result: Value }): Changes
}

/** The arguments of a call. */
export type CallInput = Readonly<Record<string, Value>>

/** What a call of a tool is, for its pure parts: the same whenever it is asked. */
export interface CallFacts extends RoundFacts {
  readonly participant: string
  readonly input: CallInput
}

/** What a tool that runs is given. */
export interface CallContext extends CallFacts {
  /** The id of the participant's thread, `run/RUN/PARTICIPANT`: one and the same in no two runs of a tenant. */
  readonly thread: string
  /** As the participant's round has it. */
  readonly environment: Environment
  /** As in the context of a thread's tool: names this call, also where it runs again after a crash. */
  readonly idempotencyKey: string
  /** The fencing token of the participant's turn. */
  readonly term: number
  readonly signal: AbortSignal
}

/** Plain data: what JSON can say. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** The variables of an experiment and what they are now. */
export type Environment = Readonly<Record<string, Value>>

/** New values for some of them. */
export type Changes = Environment

/** Something that an experiment keeps track of. */
export interface Variable {
  readonly type: VariableType
  readonly initial: Value
  /** Shown after its value to participants that see it. */
  readonly description?: string | undefined
}

/** What a variable can be. */
export type VariableType = 'number' | 'integer' | 'text' | 'boolean' | 'list' | 'map'

/** Whether a value is of a type; a number that JSON cannot represent is of no type. */
export function isOfType(type: VariableType, value: Value | undefined): boolean {
  return value !== undefined && tests[type](value)
}

const tests: Readonly<Record<VariableType, (value: Value) => boolean>> = {
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}
