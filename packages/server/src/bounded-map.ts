/** Keeps what was set or read last: every map that outlives a request has a limit. */
export interface BoundedMap<T> {
  get(key: string): T | undefined
  /** `weight`: approximate memory, in the unit of the limit. Default: 1. */
  set(key: string, value: T, weight?: number): void
  delete(key: string): void
  readonly size: number
}

export interface BoundedMapLimits {
  readonly entries: number
  /** Of all entries together. Default: no limit. */
  readonly weight?: number | undefined
}

/**
 * @example
 * const names = createBoundedMap<string>({ entries: 1000 })
 */
export function createBoundedMap<T>({ entries, weight: most = Infinity }: BoundedMapLimits): BoundedMap<T> {
  const kept = new Map<string, { readonly value: T; readonly weight: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get: (key) => {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set: (key, value, weight = 1) => {
      remove(key)
      kept.set(key, { value, weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && total <= most) break
        remove(oldest)
      }
    },
    delete: remove,
    get size() {
      return kept.size
    },
  }
}
