import type { CallFacts, Changes, Environment, ExperimentTool, Value } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import type { ToolDefinition } from '../definition.ts'
import { type Assign, readAssignments, readExpression } from '../expression/expression.ts'
import { parametersSchema } from '../parameters.ts'
import type { Scopes } from '../scope.ts'
import { inputProblem } from './input-check.ts'
import type { Runner } from './runner.ts'

/** The tool of a definition and its runner. */
export function compileTool(definition: ToolDefinition, runner: Runner | undefined, scopes: Scopes): ExperimentTool {
  const description = definition.description ?? runner?.description
  const parameters = (definition.parameters && parametersSchema(definition.parameters)) ?? runner?.parameters ?? nothing
  const timeout = definition.timeout ?? runner?.timeout
  const run = runner
    ? ({
        mayRepeat: definition.mayRepeat ?? runner.mayRepeat ?? false,
        run: (input, context) => runner.run(input, context),
      } satisfies Partial<ExperimentTool>)
    : resultOf(definition, scopes)
  const changes = changesOf(definition, runner, scopes)
  return {
    ...(description !== undefined && { description }),
    parameters,
    ...(timeout !== undefined && { timeout }),
    ...run,
    refusal: refusalOf(definition, parameters, runner, scopes),
    ...(changes && { changes }),
  }
}

const nothing: Readonly<Record<string, unknown>> = { type: 'object', properties: {}, additionalProperties: false }

/** Expressions return the same each time, so they may run again. */
function resultOf(definition: ToolDefinition, scopes: Scopes): Pick<ExperimentTool, 'run' | 'mayRepeat'> {
  if (definition.result === undefined) return { mayRepeat: true }
  const { evaluate } = readExpression(definition.result, scopes.result(definition))
  return {
    mayRepeat: true,
    run: (_, { environment, ...facts }) =>
      discreet(() => evaluate(valuesOf(environment, facts), facts.random, facts.work)),
  }
}

function refusalOf(
  definition: ToolDefinition,
  parameters: Readonly<Record<string, unknown>>,
  runner: Runner | undefined,
  scopes: Scopes,
): NonNullable<ExperimentTool['refusal']> {
  const scope = scopes.requirement(definition)
  const requirements = (definition.require ?? []).map(({ when, otherwise }) => ({
    ...readExpression(when, scope),
    otherwise,
  }))
  return (environment, facts) => {
    const wrong = inputProblem(facts.input, parameters)
    if (wrong !== undefined) return wrong
    const values = valuesOf(environment, facts)
    // What cannot be found out does not hold.
    const unmet = discreet(() => requirements.find(({ evaluate }) => evaluate(values, undefined, facts.work) !== true))
    return unmet?.otherwise ?? runner?.refusal?.(environment, facts)
  }
}

/** Why an expression fails may name what the participant does not see: it is for the record, in `details.reason`. */
function discreet<T>(evaluate: () => T): T {
  try {
    return evaluate()
  } catch (error) {
    throw new MinutebookError('call_failed', 'this could not be done', '', {
      reason: error instanceof Error ? error.message : 'it threw something that is not an error',
    })
  }
}

function changesOf(definition: ToolDefinition, runner: Runner | undefined, scopes: Scopes): ExperimentTool['changes'] {
  if (!definition.changes) return runner?.changes && ((environment, call) => runner.changes?.(environment, call) ?? {})
  const assign: Assign = readAssignments(definition.changes, scopes.change(definition))
  return (environment: Environment, { result, ...facts }: CallFacts & { readonly result: Value }): Changes =>
    assign(environment, { ...wordsOf(facts), result }, facts.random, facts.work)
}

function valuesOf(environment: Environment, facts: CallFacts): Readonly<Record<string, Value>> {
  return { ...environment, ...wordsOf(facts) }
}

function wordsOf({ round, participant, input }: CallFacts): Readonly<Record<string, Value>> {
  return { round, participant, input }
}
