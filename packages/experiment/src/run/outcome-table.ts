import { canonicalJson } from 'minutebook/store'
import { differingFields, differingWindow } from './differences.ts'
import type { Value } from './experiment.ts'
import { descriptionIn, goalLinesOf, type GoalLine } from './goal-line.ts'
import type { RunCourse, RunOutcome } from './outcome.ts'

/** The outcomes of several runs next to each other, with what differs in their definitions. */
export interface OutcomeTable {
  /** In the order in which they were asked for. */
  readonly runs: readonly OutcomeRow[]
  /** The fields that differ between the definitions; undefined if one of the definitions may not be seen. */
  readonly fields?: readonly string[]
  readonly variables: readonly OutcomeVariable[]
  /** The numbers that goals of these runs compare variables with, as far as the definitions may be seen. */
  readonly goals: readonly GoalLine[]
}

export interface OutcomeRow extends RunOutcome {
  /** Runs with the same number differ in nothing but their seeds. */
  readonly group: number
  /** Its value of each differing field that it has. Long values are cut around what differs. */
  readonly differs: { readonly [path: string]: Value }
}

/** A variable of the runs that are compared. */
export interface OutcomeVariable {
  readonly name: string
  readonly isNumber: boolean
  /** Whether any of the runs changed it. */
  readonly changes: boolean
  /** What the experiment says about it, such as its unit. */
  readonly description?: string
}

/** A variable of a run over its rounds. */
export interface RunSeries {
  readonly run: string
  readonly variable: string
  /** Round and value; round 0 is the start. Of very long runs, every n-th round and the last. */
  readonly points: readonly (readonly [round: number, value: number | null])[]
}

/** A run of a table, with its definition as far as that may be seen. */
export interface TableRun {
  readonly course: RunCourse
  readonly definition?: Value | undefined
}

/**
 * @example
 * outcomeTable([{ course: courseOf(left), definition }, { course: courseOf(right), definition: other }]).fields // ['limits.rounds']
 */
export function outcomeTable(runs: readonly TableRun[]): OutcomeTable {
  const definitions = runs.map(({ definition }) => (definition === undefined ? undefined : withoutSeed(definition)))
  const isSeen = definitions.every((definition) => definition !== undefined)
  const fields = isSeen
    ? differingFields(definitions)
        .slice(0, mostFields)
        .map(({ path, values }) => ({ path, values: shortened(values) }))
    : []
  const groups = groupNumbers(runs, definitions)
  return {
    runs: runs.map(({ course: { outcome } }, index) => ({
      ...outcome,
      group: groups[index]!,
      differs: Object.fromEntries(
        fields.flatMap(({ path, values }) => (values[index] === undefined ? [] : [[path, values[index]]])),
      ),
    })),
    ...(isSeen && { fields: fields.map(({ path }) => path) }),
    variables: variablesOf(runs),
    goals: goalsOf(runs),
  }
}

const mostFields = 30
const mostGoals = 30
/** Characters. */
const longestValue = 160

/** The seed that counts is the run's own. */
function withoutSeed(definition: Value): Value {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) return definition
  return Object.fromEntries(Object.entries(definition).filter(([name]) => name !== 'seed'))
}

/**
 * Not canonical: in a definition, the order has a meaning. Runs whose definitions may not be seen are told apart by
 * names and models alone.
 */
function groupNumbers(runs: readonly TableRun[], definitions: readonly (Value | undefined)[]): readonly number[] {
  const numbers = new Map<string, number>()
  return runs.map(({ course: { outcome } }, index) => {
    const { name, models, forked, answers } = outcome
    const key = JSON.stringify([name, models, forked?.round, answers !== undefined, definitions[index]])
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
}

/** Values as they are if they are short, else as parts of texts that differ if the values do. */
function shortened(values: readonly (Value | undefined)[]): readonly (Value | undefined)[] {
  const texts = values.map((value) =>
    value === undefined ? undefined : typeof value === 'string' ? value : canonicalJson(value),
  )
  if (texts.every((text) => text === undefined || text.length <= longestValue)) return values
  const window = differingWindow(
    texts.filter((text) => text !== undefined),
    longestValue,
  )
  return texts.map((text) => (text === undefined ? undefined : window(text)))
}

function variablesOf(runs: readonly TableRun[]): readonly OutcomeVariable[] {
  const names = [...new Set(runs.flatMap(({ course }) => Object.keys(course.outcome.final)))].slice(0, mostVariables)
  return names.map((name) => {
    const description = runs.map(({ definition }) => descriptionIn(definition, name)).find((text) => text !== undefined)
    return {
      name,
      isNumber: runs.some(({ course }) => course.series.has(name)),
      changes: runs.some(({ course }) => course.changing.has(name)),
      ...(description !== undefined && { description: description.slice(0, longestValue) }),
    }
  })
}

const mostVariables = 100

function goalsOf(runs: readonly TableRun[]): readonly GoalLine[] {
  const lines = runs.flatMap(({ definition }) => goalLinesOf(definition))
  return [...new Map(lines.map((line) => [canonicalJson(line as unknown as Value), line])).values()].slice(0, mostGoals)
}

/**
 * The variables to look at first: numbers that goals are about, then others that change.
 *
 * @example
 * leadingVariables(table, 3) // ['cash', 'lemons', 'day']
 */
export function leadingVariables({ variables, goals }: OutcomeTable, most: number): readonly string[] {
  const isGoal = (name: string): boolean => goals.some(({ variable }) => variable === name)
  return variables
    .filter(({ name, isNumber, changes }) => isNumber && (changes || isGoal(name)))
    .toSorted((left, right) => Number(isGoal(right.name)) - Number(isGoal(left.name)))
    .slice(0, most)
    .map(({ name }) => name)
}
