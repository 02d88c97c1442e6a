import { differencesOf, differingParts, fieldOf, type FieldDifference, type Value } from '@minutebook/experiment/run'
import { grouped, readable } from '../ui/text.ts'
import { valueText } from './series.ts'

/**
 * What the definition asks of a participant's model, in a few words.
 *
 * @example
 * settingsIn({ participants: { ann: { model: { name: 'm', window: 4096, temperature: 0.7 } } } }, 'ann') // 'window 4,096 · temp. 0.7'
 */
export function settingsIn(definition: Value | undefined, participant: string): string {
  const model = fieldOf(fieldOf(fieldOf(definition, 'participants'), participant), 'model')
  const options = fieldOf(model, 'options')
  const [window, temperature] = [
    fieldOf(model, 'window'),
    fieldOf(model, 'temperature') ?? fieldOf(options, 'temperature'),
  ]
  return [
    ...(typeof window === 'number' ? [`window ${grouped(window)}`] : []),
    ...(typeof temperature === 'number' ? [`temp. ${temperature}`] : []),
  ].join(' · ')
}

/** A changed field in words. */
interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** What differs between the definition of a run and the one that it was forked from. */
export function changesOf(before: Value | undefined, after: Value | undefined): readonly Change[] | undefined {
  if (before === undefined || after === undefined) return undefined
  return differencesOf(before, after).map(changeOf)
}

function changeOf({ path, left, right }: FieldDifference): Change {
  const [before, after] = differingParts(
    left === undefined ? 'not set' : valueText(left),
    right === undefined ? 'not set' : valueText(right),
    longest,
  )
  return { path: readable(path), before: readable(before), after: readable(after) }
}

/** Characters of a value. */
const longest = 60
