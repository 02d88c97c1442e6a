import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { Refusal } from './refusal.ts'

/** A place for what is to be done, or why there is none now. */
export type Admitted = { readonly leave: () => void } | { readonly refusal: Refusal }

/** Whose turns they are. */
export type Owner = Pick<Caller, 'name' | 'tenant'>

/**
 * Keeps this instance from taking on more than it can do: whoever comes too often or too late is told when to come
 * again.
 */
export interface Admission {
  /**
   * For turns that the server runs, or a chat that it relays. `leave` when that is over; more than once does no harm.
   * `count`: how many may be under way at once. Default: 1.
   */
  enter(caller: Owner, what: 'turn' | 'chat', count?: number): Admitted
  /**
   * For turns that go on here from before: they count, and are never refused. The answer is called when they are over.
   */
  goOn(caller: Owner, count: number): () => void
  /** Turns sent here that are not over, beyond those that have a slot. */
  readonly waiting: number
}

/**
 * @example
 * const place = services.admission.enter(caller, 'turn')
 * if ('refusal' in place) return refuse(response, place.refusal)
 * void turn.done.finally(place.leave)
 */
export function createAdmission(
  { slots, queueLimit, rateLimit }: Pick<Config, 'slots' | 'queueLimit' | 'rateLimit'>,
  metrics: Pick<Metrics, 'limited'>,
): Admission {
  const most = rateLimit?.turns ?? Infinity
  const byKey = new Map<string, number>()
  let turns = 0
  const place = (name: string, what: 'turn' | 'chat', count: number): (() => void) => {
    byKey.set(name, (byKey.get(name) ?? 0) + count)
    if (what === 'turn') turns += count
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      if (what === 'turn') turns -= count
      const rest = (byKey.get(name) ?? count) - count
      if (rest > 0) byKey.set(name, rest)
      else byKey.delete(name)
    }
  }
  return {
    enter: (owner, what, count = 1) => {
      const name = nameOf(owner)
      if ((byKey.get(name) ?? 0) + count > most) return refused('turns', tooManyTurns(most))
      if (what === 'turn' && turns + count > slots + queueLimit) return refused('queue', queueFull)
      return { leave: place(name, what, count) }
    },
    goOn: (owner, count) => place(nameOf(owner), 'turn', count),
    get waiting() {
      return Math.max(0, turns - slots)
    },
  }

  function refused(why: 'turns' | 'queue', refusal: Refusal): Admitted {
    metrics.limited(why)
    return { refusal }
  }
}

function nameOf({ name, tenant }: Owner): string {
  return `${tenant} ${name}`
}

function tooManyTurns(most: number): Refusal {
  return {
    status: 429,
    code: 'rate_limited',
    message: `This key has as many turns under way as it may have at once, or would with this: ${most} turns, those of its runs included. Wait for one to end, or have rateLimit.turns raised.`,
    headers: { 'retry-after': '1' },
  }
}

const queueFull: Refusal = {
  status: 503,
  code: 'overloaded',
  message: 'More turns wait on this instance than it takes. Try again in a moment; nothing of this one was recorded.',
  headers: { 'retry-after': '2' },
}
