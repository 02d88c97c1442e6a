import fc from 'fast-check'
import { checkDefinition, compileExperiment, readExperiment } from '@minutebook/experiment'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { complaints, problemsIn } from './support/problems.ts'
import { stand } from './support/stand.ts'

type Fields = Record<string, unknown>
const right = parse(stand) as Fields

/** Every place in a value: the object that holds it, and its name. */
function placesIn(value: unknown): [Fields, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [value as Fields, name] as [Fields, string],
    ...placesIn(inner),
  ])
}

const wrongValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    -1,
    1.5,
    '',
    'x',
    true,
    [],
    {},
    [[]],
    [null],
    { type: 5 },
    { initial: 'x' },
    'constructor',
    'cash +',
    [1],
    { a: { b: 1 } },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

test('whatever is wrong anywhere: it is told where, what and how to fix it, in words of ours; or nothing is wrong and it compiles', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('change', 'rename', 'remove'), wrongValue), {
        minLength: 1,
        maxLength: 3,
      }),
      (edits) => {
        const value = structuredClone(right)
        for (const [at, how, wrong] of edits) {
          const places = placesIn(value)
          const [owner, name] = places[at % places.length] ?? [value, 'name']
          const before = owner[name]
          if (how !== 'change') delete owner[name]
          // A copy: a constant that two edits share would hold itself.
          if (how === 'change') owner[name] = structuredClone(wrong)
          if (how === 'rename') owner[`${name}x`] = before
        }
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        const problems = problemsIn(plain)
        if (problems.length === 0) return void compileExperiment(checkDefinition(plain))
        for (const { field, problem, fix } of problems)
          expect(`${field} ${problem} ${fix}`).not.toMatch(/Invalid input|received|fix it$|undefined/)
        expect(complaints(JSON.stringify(plain)).length).toBe(problems.length)
      },
    ),
  )
})

test('what is right stays as it is, however often it is written out and read', () => {
  const once = readExperiment(stand)
  expect(readExperiment(JSON.stringify(once))).toEqual(once)
})
