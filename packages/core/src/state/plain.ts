import { deepest } from '../log/canonical.ts'

/** A copy of plain data that nobody can write to. Throws what `refuse` makes for anything else: a map or a class cannot be frozen. */
export function frozenCopy(value: unknown, refuse: () => Error, levels: number = deepest): unknown {
  if (typeof value === 'function' || levels === 0) throw refuse()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, refuse, levels - 1)))
  if (!isRecord(value)) throw refuse()
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, frozenCopy(field, refuse, levels - 1)])))
}

/** True where JSON gives back exactly this value: no undefined within it, no -0, no dates, maps, classes or holes. */
export function survivesJson(value: unknown, levels: number = deepest - 1): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value)) return Object.keys(value).length === value.length && value.every((item) => survivesJson(item, levels - 1))
  return isRecord(value) && Object.values(value).every((field) => survivesJson(field, levels - 1))
}

function isRecord(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0
}
