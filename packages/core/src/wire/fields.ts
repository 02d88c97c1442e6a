export type Fields = Readonly<Record<string, unknown>>

/** What only our own converters read: no server knows it. */
export const unsent: Fields = { sdk: undefined }

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** The object with these fields in place of its own, undefined for none. The very same object where it has them already: prompts are hashed. */
export function withFields<T extends object>(value: T, fields: Fields): T {
  const own = value as Fields
  const names = Object.keys(fields)
  if (names.every((name) => own[name] === fields[name])) return value
  const changed: Record<string, unknown> = { ...own, ...fields }
  for (const name of names) if (fields[name] === undefined) delete changed[name]
  return changed as T
}

/** The very same list where nothing in it changes. */
export function mapSame(list: readonly unknown[], map: (item: unknown, index: number) => unknown): readonly unknown[] {
  const mapped = list.map(map)
  return mapped.every((item, index) => item === list[index]) ? list : mapped
}
