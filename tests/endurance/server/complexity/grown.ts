/** A way in which a part of a value is made larger. */
export interface Place {
  /** `messages[0].content` */
  readonly name: string
  readonly path: readonly (string | number)[]
  readonly how: How
}

export const hows = ['text', 'odd text', 'items', 'fields', 'depth'] as const
export type How = (typeof hows)[number]

/**
 * Every way in which a plain value can be made larger: each text longer, each list and map with more in it, each value
 * deeper.
 */
export function placesIn(value: unknown, path: readonly (string | number)[] = []): Place[] {
  const here = (how: How): Place => ({ name: `${how} of ${pathText(path)}`, path, how })
  if (typeof value === 'string') return [here('text'), here('odd text'), here('depth')]
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, part]) =>
    placesIn(part, [...path, Array.isArray(value) ? Number(name) : name]),
  )
  return [...(Array.isArray(value) ? [here('items')] : [here('fields')]), here('depth'), ...inner]
}

/** The value with one part of it made as large as this. */
export function grown(value: unknown, { path, how }: Pick<Place, 'path' | 'how'>, size: number): unknown {
  const [first, ...rest] = path
  if (first === undefined) return enlarged(value, how, size)
  if (Array.isArray(value))
    return value.map((part: unknown, index) => (index === first ? grown(part, { path: rest, how }, size) : part))
  return Object.fromEntries(
    Object.entries(value as object).map(([name, part]) => [
      name,
      name === first ? grown(part, { path: rest, how }, size) : (part as unknown),
    ]),
  )
}

function enlarged(value: unknown, how: How, size: number): unknown {
  switch (how) {
    case 'text':
      return `${String(value)} ${'lemons and '.repeat(size / 11)}`
    case 'odd text':
      return `${String(value)}${'<think>[x](\\"\n{{#1 '.repeat(size / 20)}`
    case 'items': {
      const items = value as readonly unknown[]
      return Array.from({ length: size }, (_, index) =>
        varied(items.length === 0 ? 'x' : items[index % items.length], Math.floor(index / Math.max(1, items.length))),
      )
    }
    case 'fields': {
      const fields = Object.entries(value as object)
      return {
        ...(value as object),
        ...Object.fromEntries(
          Array.from({ length: size }, (_, index) => [
            `f${index}`,
            fields.length === 0 ? index : (fields[index % fields.length]?.[1] as unknown),
          ]),
        ),
      }
    }
    case 'depth':
      return Array.from({ length: size }).reduce<unknown>(
        (inner, _, index) => (index % 2 === 0 ? [inner] : { a: inner }),
        value,
      )
  }
}

/** The same once more: what names something names another. Words that a protocol knows stay. */
function varied(value: unknown, number: number, name = ''): unknown {
  if (typeof value === 'string') return number === 0 || fixed.has(name) ? value : `${value}${number}`
  if (Array.isArray(value)) return value.map((part) => varied(part, number, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, varied(part, number, field)]))
}

const fixed: ReadonlySet<string> = new Set([
  'role',
  'type',
  'model',
  'arguments',
  'play',
  'image_url',
  'url',
  'data',
  'kind',
  'when',
  'status',
])

function pathText(path: readonly (string | number)[]): string {
  return path.length === 0
    ? 'it all'
    : path
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
        .join('')
        .replace(/^\./, '')
}

/** n, 2n, 4n and 8n. */
export function sizesOf(how: How, scale: number): readonly number[] {
  const least = { text: 16_000, 'odd text': 16_000, items: 500, fields: 500, depth: 25 }[how] * scale
  return [1, 2, 4, 8].map((times) => Math.round(least * times))
}
