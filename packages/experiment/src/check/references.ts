import type { Definition } from '../definition.ts'
import { meant } from '../nearest.ts'
import type { Finding, Path } from '../problem.ts'
import type { Names } from './names.ts'

/** Finds names of variables, participants, tools and models that nothing bears. */
export function checkReferences({ participants, steps = [], hooks = {}, tools = {}, prices = {} }: Definition, names: Names, registered: readonly string[] = []): Finding[] {
  const models = [...new Set(Object.values(participants).map(({ model }) => model.name))]
  const areAllKnown = Object.keys(participants).length === names.participants.length
  return [
    ...Object.entries(participants).flatMap(([name, { sees = [], tools: own = [], tells = [] }]) => [
      ...unknown(['participants', name, 'sees'], sees, 'variable', names.variables),
      ...unknown(['participants', name, 'tools'], own, 'tool', [...names.tools, ...registered]),
      ...unknown(['participants', name, 'tells'], tells, 'other participant', names.participants.filter((other) => other !== name)),
    ]),
    ...steps.flatMap(({ participants: playing = [] }, index) => unknown(['steps', index, 'participants'], playing, 'participant', names.participants)),
    ...unknownKeys(['hooks', 'stepStart'], hooks.stepStart, 'variable', names.variables),
    ...unknownKeys(['hooks', 'stepEnd'], hooks.stepEnd, 'variable', names.variables),
    ...Object.entries(tools).flatMap(([name, { changes }]) => unknownKeys(['tools', name, 'changes'], changes, 'variable', names.variables)),
    ...unknownKeys(['prices'], areAllKnown ? prices : {}, 'participant with the model', models),
  ]
}

function unknown(path: Path, found: readonly string[], what: string, known: readonly string[]): Finding[] {
  return found.flatMap((name, index): Finding[] => {
    if (!known.includes(name)) return [{ path: [...path, index], problem: `there is no ${what} "${name}"`, fix: meant(name, known) }]
    return found.indexOf(name) < index ? [{ path: [...path, index], problem: `"${name}" stands there twice`, fix: 'leave one of them' }] : []
  })
}

function unknownKeys(path: Path, found: Readonly<Record<string, unknown>> | undefined, what: string, known: readonly string[]): Finding[] {
  return Object.keys(found ?? {}).flatMap((name) => (known.includes(name) ? [] : [{ path: [...path, name], isName: true, problem: `there is no ${what} "${name}"`, fix: meant(name, known) }]))
}
