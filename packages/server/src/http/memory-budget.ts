/**
 * An amount of memory that requests of all tenants share. One tenant gets half of it at most. If there is no room,
 * requests wait: tenants take turns, the requests of one tenant keep their order, and each waits at most `patience`.
 */
export interface Budget {
  /** What one tenant may hold at once. */
  readonly share: number
  /**
   * Resolves to false if nothing became free in time, or if too many wait already. An amount above `share` is never
   * granted.
   */
  take(tenant: string, amount: number): Promise<boolean>
  give(tenant: string, amount: number): void
  /** For requests that need little: without waiting. False if such requests hold too much together; then use `take`. */
  takeSmall(tenant: string, amount: number): boolean
  giveSmall(tenant: string, amount: number): void
  readonly held: number
  readonly waiting: number
}

export interface BudgetOptions {
  readonly capacity: number
  /** Milliseconds. */
  readonly patience: number
  /** Requests of one tenant that may wait. */
  readonly mostWaiting: number
  /** Called about once a second while a request waits. */
  readonly onShortage?: (() => void) | undefined
}

interface Waiter {
  readonly amount: number
  readonly end: (granted: boolean) => void
}

/**
 * @example
 * const budget = createBudget({ capacity: 100 << 20, patience: 10_000, mostWaiting: 100 })
 * if (await budget.take('acme', 1 << 20)) budget.give('acme', 1 << 20)
 */
export function createBudget({ capacity, patience, mostWaiting, onShortage = () => undefined }: BudgetOptions): Budget {
  const share = Math.floor(capacity / 2)
  const [large, small] = [createTally(), createTally()]
  /** By tenant, the one whose turn it is first. */
  const queues = new Map<string, Waiter[]>()
  let watch: NodeJS.Timeout | undefined
  const fits = (tenant: string, amount: number): 'yes' | 'own share' | 'no' => {
    if (large.of(tenant) + amount > share) return 'own share'
    return large.total + amount <= capacity ? 'yes' : 'no'
  }
  const remove = (tenant: string, waiter: Waiter): void => {
    const queue = (queues.get(tenant) ?? []).filter((each) => each !== waiter)
    if (queue.length > 0) queues.set(tenant, queue)
    else queues.delete(tenant)
    if (queues.size > 0) return
    clearInterval(watch)
    watch = undefined
  }
  /**
   * Starts all requests that fit. A tenant that waits for its own share does not delay others. For a tenant that waits
   * for others, the others wait too, so that its turn comes.
   */
  const advance = (): void => {
    for (const [tenant, [first]] of queues) {
      if (!first) continue
      const fit = fits(tenant, first.amount)
      if (fit === 'no') return
      if (fit === 'own share') continue
      large.add(tenant, first.amount)
      remove(tenant, first)
      // After all others that wait.
      const rest = queues.get(tenant)
      queues.delete(tenant)
      if (rest) queues.set(tenant, rest)
      first.end(true)
      return advance()
    }
  }
  const wait = (tenant: string, amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const late = setTimeout(() => {
        remove(tenant, waiter)
        resolve(false)
        // It may be the one that all others waited for.
        advance()
      }, patience)
      const waiter: Waiter = {
        amount,
        end: (granted) => {
          clearTimeout(late)
          resolve(granted)
        },
      }
      queues.set(tenant, [...(queues.get(tenant) ?? []), waiter])
      watch ??= setInterval(onShortage, 1000).unref()
    })
  return {
    share,
    take: async (tenant, amount) => {
      if (amount > share) return false
      const queue = queues.get(tenant)
      if (queues.size === 0 && fits(tenant, amount) === 'yes') {
        large.add(tenant, amount)
        return true
      }
      if ((queue?.length ?? 0) >= mostWaiting) return false
      const granted = wait(tenant, amount)
      advance()
      return granted
    },
    give: (tenant, amount) => {
      large.add(tenant, -amount)
      advance()
    },
    takeSmall: (tenant, amount) => {
      if (small.of(tenant) + amount > share / 2 || small.total + amount > share) return false
      small.add(tenant, amount)
      return true
    },
    giveSmall: (tenant, amount) => small.add(tenant, -amount),
    get held() {
      return large.total + small.total
    },
    get waiting() {
      return [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)
    },
  }
}

/** How much each tenant holds. Keeps only tenants that hold something. */
export function createTally(): {
  of(tenant: string): number
  add(tenant: string, amount: number): void
  readonly total: number
} {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    of: (tenant) => amounts.get(tenant) ?? 0,
    add: (tenant, amount) => {
      total += amount
      const now = (amounts.get(tenant) ?? 0) + amount
      if (now > 0) amounts.set(tenant, now)
      else amounts.delete(tenant)
    },
    get total() {
      return total
    },
  }
}
