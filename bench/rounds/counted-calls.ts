/**
 * The same object, of which each call of a method is counted by name; methods of an object inside it as `records.put`.
 */
export function countedCalls<T extends object>(object: T, counts: Map<string, number>, prefix = ''): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || value === null) return value
      if (typeof value === 'object') return countedCalls(value, counts, `${prefix}${name}.`)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        counts.set(prefix + name, (counts.get(prefix + name) ?? 0) + 1)
        return Reflect.apply(value, target, args)
      }
    },
  })
}
