import type { Value } from './experiment.ts'
import type { OutcomeRow, OutcomeTable } from './outcome-table.ts'

/** A column of a table of outcomes: the same on the command line, on the page and in a CSV file. */
export interface OutcomeColumn {
  /** The name of the column in a CSV file, such as `prompt_tokens` or `final.cash`. */
  readonly id: string
  /** The heading for people. */
  readonly title: string
  /** What the column says. */
  readonly hint: string
  /** Whether it tells these runs apart, or is always shown. A CSV file has all columns. */
  readonly isShown: boolean
  readonly of: (run: OutcomeRow) => Value | undefined
}

/**
 * The columns of a table. `variables`: those whose last values are shown.
 *
 * @example
 * outcomeColumns(table, ['cash']).filter(({ isShown }) => isShown).map(({ title }) => title)
 */
export function outcomeColumns(table: OutcomeTable, variables: readonly string[]): readonly OutcomeColumn[] {
  const { runs, fields = [] } = table
  const isAny = (of: OutcomeColumn['of']): boolean => runs.some((run) => of(run) !== undefined && of(run) !== 0)
  const model = ({ models }: OutcomeRow): string => models.join(' ')
  return [
    column('run', 'Run', 'The name of the run', ({ run }) => run),
    column(
      'experiment',
      'Experiment',
      'The name of the experiment',
      ({ name }) => name,
      isOther(runs, (run) => run.name),
    ),
    ...fields.map((path) =>
      column(
        `set.${path}`,
        path,
        'A field of the definition that differs',
        ({ differs }) => (Object.hasOwn(differs, path) ? differs[path] : undefined),
        // The column of models says it already.
        !runs.every((run) => run.differs[path] === model(run)),
      ),
    ),
    column('model', 'Model', 'The models of the participants', model),
    column(
      'seed',
      'Seed',
      'The seed of the run: of hooks, tools, and models without a seed of their own',
      ({ seed }) => seed,
    ),
    column('rounds', 'Rounds', 'The current or last round', ({ round }) => round),
    column('status', 'Status', 'Whether the run is over, and how it ended', ({ status }) => status),
    column('result', 'Result', 'Why the run ended', ({ reason }) => reason),
    column('prompt_tokens', 'Sent', 'Tokens of all prompts', ({ spending }) => spending.prompt),
    column('completion_tokens', 'Answered', 'Tokens of all answers', ({ spending }) => spending.completion),
    column('calls', 'Calls', 'Model calls', ({ spending }) => spending.calls),
    column('cost', 'Cost', 'By the prices in the definition', costOf, isAny(costOf)),
    column('turns', 'Turns', 'Turns that models played', ({ turns }) => turns, false),
    column('clipped_turns', 'Clipped', 'Turns whose question was not sent whole', ({ clipped }) => clipped),
    column(
      'omitted_turns',
      'Omitted',
      'Turns in which something else was left out, or sent only in part or in brief',
      ({ omitted }) => omitted,
    ),
    column(
      'short_windows',
      'Short windows',
      'Participants whose window was smaller than the definition asks for',
      shortOf,
      isAny(shortOf),
    ),
    column('forked_from', 'Forked from', 'The run that it was forked from', parentOf, isAny(parentOf)),
    column('fork_round', 'at round', 'The first round that the fork played itself', roundOf, isAny(roundOf)),
    column('answers_of', 'Answers of', 'The run whose answers were used again', answersOf, isAny(answersOf)),
    ...variables.map((name) =>
      column(`final.${name}`, name, 'A variable after the last round', ({ final }) =>
        Object.hasOwn(final, name) ? final[name] : undefined,
      ),
    ),
  ]
}

function column(id: string, title: string, hint: string, of: OutcomeColumn['of'], isShown = true): OutcomeColumn {
  return { id, title, hint, isShown, of }
}

const costOf = ({ spending }: OutcomeRow): Value | undefined => spending.cost
const shortOf = ({ shortWindows }: OutcomeRow): Value => shortWindows
const parentOf = ({ forked }: OutcomeRow): Value | undefined => forked?.run
const roundOf = ({ forked }: OutcomeRow): Value | undefined => forked?.round
const answersOf = ({ answers }: OutcomeRow): Value | undefined => answers

function isOther(runs: readonly OutcomeRow[], of: OutcomeColumn['of']): boolean {
  return new Set(runs.map(of)).size > 1
}

/** What numbers have in common. */
export interface Spread {
  readonly count: number
  readonly mean: number
  /** The standard deviation of a sample; 0 of a single number. */
  readonly deviation: number
  readonly low: number
  readonly high: number
}

/**
 * Undefined without numbers.
 *
 * @example
 * spreadOf([1, 2, 3]) // { count: 3, mean: 2, deviation: 1, low: 1, high: 3 }
 */
export function spreadOf(values: readonly unknown[]): Spread | undefined {
  const numbers = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  const count = numbers.length
  if (count === 0) return undefined
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  // Divided before they are added: the sum of large numbers would not be finite.
  const mean = Math.min(
    high,
    Math.max(
      low,
      numbers.reduce((sum, value) => sum + value / count, 0),
    ),
  )
  const square = numbers.reduce((sum, value) => sum + ((value - mean) * (value - mean)) / Math.max(1, count - 1), 0)
  return { count, mean, deviation: Math.sqrt(square), low, high }
}

/** Runs that differ in nothing but their seeds. */
export interface OutcomeGroup {
  readonly number: number
  /** What tells it from the other groups, such as `gemma3:4b`. */
  readonly label: string
  readonly runs: readonly OutcomeRow[]
}

/** The groups of a table, in the order of their first runs. */
export function outcomeGroups({ runs, fields = [] }: Pick<OutcomeTable, 'runs' | 'fields'>): readonly OutcomeGroup[] {
  const numbers = [...new Set(runs.map(({ group }) => group))]
  const groups = numbers.map((number) => ({ number, members: runs.filter(({ group }) => group === number) }))
  const firsts = groups.map(({ members }) => members[0]!)
  const parts: readonly ((run: OutcomeRow) => string | undefined)[] = [
    ({ name }) => name,
    ({ models }) => models.join(' ') || undefined,
    ...fields.map((path) => (run: OutcomeRow) => fieldText(path, run)),
    ({ forked }) => forked && `forked at round ${forked.round}`,
    ({ answers }) => (answers === undefined ? undefined : 'replayed'),
  ]
  const telling = parts.filter((part) => new Set(firsts.map(part)).size > 1)
  return groups.map(({ number, members }, index) => {
    const [first] = members
    const texts = telling.flatMap((part) => part(first!) ?? []).filter((text) => text !== '')
    return {
      number,
      label: [...new Set(texts)].join(', ') || (index === 0 ? first!.name : `${first!.name}, other`),
      runs: members,
    }
  })
}

/** Undefined if the models of the run say the same. */
function fieldText(path: string, { differs, models }: OutcomeRow): string | undefined {
  const value = Object.hasOwn(differs, path) ? differs[path] : undefined
  if (value === models.join(' ')) return undefined
  const name = path.slice(path.lastIndexOf('.') + 1)
  const text = value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value)
  return `${name} ${text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text}`
}

/** Characters of a value. */
const longestLabel = 40
