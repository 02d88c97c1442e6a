import type { Message } from '../log/message.ts'
import type { Random } from './random.ts'
import type { Changes, Environment, Value } from './value.ts'
import type { Variable } from './variable.ts'
import type { Work } from './work.ts'

/**
 * Who takes part, in what world, who plays when, and when it is over. Functions decide; everything else is plain data.
 * The order in which participants are written is the order of play.
 */
export interface Experiment {
  readonly name: string
  readonly description?: string | undefined
  /** All chance in a run comes from it: 1 unless told. */
  readonly seed?: number | undefined
  readonly environment: Readonly<Record<string, Variable>>
  readonly participants: Readonly<Record<string, Participant>>
  readonly tools?: Readonly<Record<string, ExperimentTool>> | undefined
  /** Played one after the other, and again from the first; one in which all play in sequence unless told. */
  readonly steps?: readonly StepPlan[] | undefined
  readonly hooks?: Hooks | undefined
  /** Looked at before the first step and after each: failures first, in order. */
  readonly goals?: { readonly success?: readonly Goal[] | undefined; readonly failure?: readonly Goal[] | undefined } | undefined
  readonly limits?: Limits | undefined
  /** By the name of a model. Without one, nothing is said of cost. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
}

export interface Participant {
  readonly system?: string | undefined
  readonly model: ModelChoice
  /** By the name that whoever runs it knows a policy by. */
  readonly policy?: string | undefined
  /** Names of tools of the experiment, or of those that whoever runs it has registered. */
  readonly tools?: readonly string[] | undefined
  /** Names of variables; all unless told. */
  readonly sees?: readonly string[] | undefined
  /** Whose answers it is told: everybody's, or only what is addressed to it, as is usual. */
  readonly hears?: 'all' | 'addressed' | undefined
  /** Whom it can address, by the tool `tell`; nobody unless told, and then it has no such tool. */
  readonly tells?: readonly string[] | undefined
  /** What it remembers from before the first step. */
  readonly history?: readonly Message[] | undefined
}

export interface ModelChoice {
  readonly name: string
  /** Sent along with every call, as they are. */
  readonly options?: Readonly<Record<string, Value>> | undefined
  /** For the model's own dice. Sent with every call. */
  readonly seed?: number | undefined
  /** In tokens: what the model has, unless told. */
  readonly window?: number | undefined
  /** Room for the answer, in tokens. */
  readonly reserve?: number | undefined
}

/** How a step is played. */
export interface StepPlan {
  readonly name?: string | undefined
  /**
   * `sequence`: each sees what those before it did. `parallel`: all see the environment as it was when the step began, and their
   * effects apply in the order of play when all are done. `addressed`: the first plays, then whoever is told something.
   */
  readonly play: Play
  /** In order; all unless told. */
  readonly participants?: readonly string[] | undefined
  /** What they are asked, beneath what they see. */
  readonly ask?: string | undefined
}

export type Play = 'sequence' | 'parallel' | 'addressed'

/** What a function of an experiment may go by, beside the environment. */
export interface StepFacts {
  /** From 1. */
  readonly step: number
  readonly random: Random
  /** What all functions that are asked one after the other may do together. */
  readonly work?: Work | undefined
}

/** Pure: they run once for each step, and what they give is on record. */
export interface Hooks {
  readonly stepStart?: ((environment: Environment, facts: StepFacts) => Changes) | undefined
  readonly stepEnd?: ((environment: Environment, facts: StepFacts) => Changes) | undefined
}

export interface Goal {
  readonly name: string
  /** Pure. */
  when(environment: Environment, facts: Pick<StepFacts, 'step' | 'work'>): boolean
}

export interface Limits {
  /** 100 unless told. */
  readonly steps?: number | undefined
  /** Over all model calls, as the models report them, and predicted where they report none. */
  readonly tokens?: number | undefined
  /** In the currency of the prices. */
  readonly cost?: number | undefined
  /** Turns of one participant that fail one after the other: 3 unless told. */
  readonly errors?: number | undefined
  /** Turns in a step of `addressed` play: 4 for each participant unless told. */
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
  /** Whether `run` may run again when a crash left it unknown if it ran. One that may not is answered with "interrupted". */
  readonly mayRepeat?: boolean | undefined
  /** Milliseconds after which `run` is given up. */
  readonly timeout?: number | undefined
  /** Why it cannot be done, in words for the participant; undefined where it can. Pure. Asked before the call is run, and before its changes apply. */
  refusal?(environment: Environment, call: CallFacts): string | undefined
  /** What the participant is told. On record: it is not asked again. Without one: what changed, as far as the participant sees it. */
  run?(input: CallInput, context: CallContext): unknown
  /**
   * What it changes. Pure: asked once for the participant that calls, and in parallel play again, with what those before it in the
   * order of play have changed.
   */
  changes?(environment: Environment, call: CallFacts & { readonly result: Value }): Changes
}

export type CallInput = Readonly<Record<string, Value>>

/** What a call of a tool is, for its pure parts: the same whenever it is asked. */
export interface CallFacts extends StepFacts {
  readonly participant: string
  readonly input: CallInput
}

/** What a tool that runs is given. */
export interface CallContext extends CallFacts {
  /** The id of the participant's thread, `run/RUN/PARTICIPANT`: one and the same in no two runs of a tenant. */
  readonly thread: string
  /** As the participant's step has it. */
  readonly environment: Environment
  readonly signal: AbortSignal
}
