import type { Value } from '@minutebook/experiment/run'

/** A field of a definition that can be changed. */
export interface Field {
  /** Such as `participants.ann.model.name`. */
  readonly path: string
  readonly names: readonly string[]
  readonly value: Value
}

/** Every field of a definition that holds no further ones; lists count as a whole. */
export function fieldsOf(definition: Value | undefined, names: readonly string[] = []): readonly Field[] {
  if (definition === undefined) return []
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition) || names.length >= deepest)
    return names.length === 0 ? [] : [{ path: names.join('.'), names, value: definition }]
  return Object.entries(definition as { readonly [name: string]: Value }).flatMap(([name, value]) =>
    fieldsOf(value, [...names, name]),
  )
}

const deepest = 8

/**
 * A change of one field, as a JSON merge patch.
 *
 * @example
 * patchOf(['limits', 'rounds'], 5) // { limits: { rounds: 5 } }
 */
export function patchOf([first = '', ...names]: readonly string[], value: Value): { readonly [name: string]: Value } {
  return { [first]: names.length === 0 ? value : patchOf(names, value) }
}

/** What was typed: JSON where it is some and the field is no text, else the text itself. */
export function typedValue(text: string, before: Value | undefined): Value {
  if (typeof before === 'string') return text
  try {
    return JSON.parse(text) as Value
  } catch {
    return text
  }
}

/** How a value is typed. */
export function typedText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
