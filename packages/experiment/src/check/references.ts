import type { Definition } from '../definition.ts'
import { isFields } from '../plain-value.ts'
import type { Finding, Path } from '../problem.ts'

/** Finds names of variables, participants, tools and models that nothing bears. */
export function checkReferences(
  { participants, rounds = [], hooks = {}, tools = {}, prices = {} }: Definition,
  names: Names,
  registered: readonly string[] = [],
): Finding[] {
  const models = [...new Set(Object.values(participants).flatMap(({ model }) => model?.name ?? []))]
  const areAllKnown = Object.keys(participants).length === names.participants.length
  const callable = [...names.tools, ...registered]
  return [
    ...Object.entries(participants).flatMap(([name, { sees = [], tools: own = [], tells = [] }]) => [
      ...unknown(['participants', name, 'sees'], sees, 'variable', names.variables),
      ...unknown(['participants', name, 'tools'], own, 'tool', callable),
      ...unknown(
        ['participants', name, 'tells'],
        tells,
        'other participant',
        names.participants.filter((other) => other !== name),
      ),
    ]),
    ...rounds.flatMap(({ participants: playing = [] }, index) =>
      unknown(['rounds', index, 'participants'], playing, 'participant', names.participants),
    ),
    ...unknownKeys(['hooks', 'roundStart'], hooks.roundStart, 'variable', names.variables),
    ...unknownKeys(['hooks', 'roundEnd'], hooks.roundEnd, 'variable', names.variables),
    ...Object.entries(tools).flatMap(([name, { changes }]) =>
      unknownKeys(['tools', name, 'changes'], changes, 'variable', names.variables),
    ),
    ...unknownKeys(['prices'], areAllKnown ? prices : {}, 'participant with the model', models),
  ]
}

function unknown(path: Path, found: readonly string[], what: string, known: readonly string[]): Finding[] {
  const [all, before] = [new Set(known), new Set<string>()]
  return found.flatMap((name, index): Finding[] => {
    if (!all.has(name))
      return [{ path: [...path, index], problem: `there is no ${what} "${name}"`, fix: { name, known } }]
    if (before.has(name))
      return [{ path: [...path, index], problem: `"${name}" is listed twice`, fix: 'leave one of them' }]
    before.add(name)
    return []
  })
}

function unknownKeys(
  path: Path,
  found: Readonly<Record<string, unknown>> | undefined,
  what: string,
  known: readonly string[],
): Finding[] {
  const all = new Set(known)
  return Object.keys(found ?? {}).flatMap((name) =>
    all.has(name)
      ? []
      : [{ path: [...path, name], isName: true, problem: `there is no ${what} "${name}"`, fix: { name, known } }],
  )
}

/** What is named in an experiment, be it right or wrong. */
export interface Names {
  readonly variables: readonly string[]
  readonly participants: readonly string[]
  readonly tools: readonly string[]
  /** Models with prices. */
  readonly prices: readonly string[]
}

export function namesIn(value: unknown): Names {
  const fields = isFields(value) ? value : {}
  const keys = (field: string): string[] => Object.keys(isFields(fields[field]) ? fields[field] : {})
  return {
    variables: keys('environment'),
    participants: keys('participants'),
    tools: keys('tools'),
    prices: keys('prices'),
  }
}
