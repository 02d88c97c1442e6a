import type { Limits, Participant, Price, RoundPlan, Value, Variable } from '@minutebook/experiment/run'

/**
 * An experiment as plain data, checked, with short forms written out: as a run records it, and as it can be written
 * into a file again. It has expressions where an experiment in TypeScript has functions.
 */
export interface Definition {
  readonly name: string
  readonly description?: string | undefined
  readonly seed?: number | undefined
  readonly environment: Readonly<Record<string, Variable>>
  readonly participants: Readonly<Record<string, Participant>>
  readonly tools?: Readonly<Record<string, ToolDefinition>> | undefined
  readonly rounds?: readonly RoundPlan[] | undefined
  readonly hooks?:
    | { readonly roundStart?: Assignments | undefined; readonly roundEnd?: Assignments | undefined }
    | undefined
  /** By name: an expression that is true when it is reached. */
  readonly goals?:
    | { readonly success?: Assignments | undefined; readonly failure?: Assignments | undefined }
    | undefined
  readonly limits?: Limits | undefined
  readonly prices?: Readonly<Record<string, Price>> | undefined
}

/** Expressions by name. As changes: evaluated in order, each with what those before it changed. */
export type Assignments = Readonly<Record<string, string>>

/**
 * What a tool does. Its runner is one of `module`, `http`, `mcp` and `use`; without one it is made of expressions
 * alone.
 */
export interface ToolDefinition {
  readonly description?: string | undefined
  /**
   * By name, each a piece of JSON Schema, required unless `optional`; or a whole JSON Schema. Default: those of its
   * runner.
   */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** All must hold, or the call is refused with the words of the first that does not. */
  readonly require?: readonly Requirement[] | undefined
  /** What it changes: expressions over the environment, `input` and `result`. */
  readonly changes?: Assignments | undefined
  /** What the participant is told, over the environment as it was before. Only for a tool without a runner. */
  readonly result?: string | undefined
  /** `./file.ts#name`: a function, in a file next to that of the experiment. */
  readonly module?: string | undefined
  readonly http?: HttpDefinition | undefined
  readonly mcp?: McpDefinition | undefined
  /** The name of a registered tool. */
  readonly use?: string | undefined
  readonly mayRepeat?: boolean | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** What must hold before a tool is run, and what the model is told if it does not. */
export interface Requirement {
  readonly when: string
  readonly otherwise: string
}

/** An address that is asked with the call's input: as JSON, or as a query with GET. */
export interface HttpDefinition {
  readonly url: string
  readonly method?: HttpMethod | undefined
  /**
   * `${NAME}` is replaced by an environment variable of the process that runs the experiment, so that no secret is
   * recorded.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The methods with which a tool may ask an address. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A tool of an MCP server that is started by a command, or is there at an address. */
export interface McpDefinition {
  readonly command?: readonly string[] | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The name of the tool on the server. Default: the same as here. */
  readonly tool?: string | undefined
}

/**
 * A definition as a run records it.
 *
 * @example
 * await experiments.begin('first', compileExperiment(definition), { definition: definitionValue(definition) })
 */
export function definitionValue(definition: Definition): Value {
  return JSON.parse(JSON.stringify(definition)) as Value
}
