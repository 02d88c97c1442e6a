import type { Config } from '../config/config.ts'
import { heapShares } from '../config/settings.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createBudget, createTally, type Budget } from './memory-budget.ts'
import { refusalError, type Refusal } from './reply.ts'

/** How much of the heap running requests may hold, together and each. */
export interface Memory {
  /**
   * What one request of this tenant holds. Release it when the request is over. Undefined: `busy`, the tenant has too
   * many running requests.
   */
  hold(tenant: string): MemoryHold | undefined
  readonly bodies: Budget
  readonly threads: Budget
}

/** The memory of one request. */
export interface MemoryHold {
  /**
   * Makes room for the next piece of the body. Undefined: go on. Else wait for what it resolves to: undefined again, or
   * why the body is refused. `expected`: how many bytes there will be in all, if the client says so.
   */
  piece(bytes: Uint8Array, expected: number | undefined): Promise<Refusal | undefined> | undefined
  /** The body has come to its end. */
  whole(): void
  /** Called if other requests wait for the memory of a body that does not arrive. */
  onCut(cut: (refusal: Refusal) => void): void
  /**
   * Makes room for a thread that is read into memory. `weight`: from `threadWeight`. Throws `overloaded` if there is no
   * room in time.
   */
  thread(weight: number): Promise<void>
  /** The body is recorded and sent on: it is not copied any more. */
  settle(): void
  leave(): void
}

/** Bytes of a body that need not wait. */
const smallBody = 64 << 10
/** Bytes of a thread that need not wait. */
const smallThread = 1 << 20
/**
 * How long a body may stop, in milliseconds, and how slowly it may come, in bytes per second, if other requests wait
 * for its memory.
 */
const [grace, pace] = [5000, 128 << 10]
const waiting = { patience: 15_000, mostWaiting: 100 }

/**
 * @example
 * const hold = services.memory.hold(caller.tenant)
 * const refusal = await hold.piece(bytes, undefined)
 */
export function createMemory(
  { bodiesLimit = heapShares().bodies }: Pick<Config, 'bodiesLimit'>,
  metrics: Pick<Metrics, 'limited'>,
): Memory {
  const { requests, threads: forThreads } = heapShares()
  const underWay = createTally()
  const reading = new Set<{ readonly cutIfLate: (now: number) => void }>()
  const bodies = createBudget({
    ...waiting,
    capacity: bodiesLimit,
    onShortage: () => {
      for (const each of reading) each.cutIfLate(performance.now())
    },
  })
  const threads = createBudget({ ...waiting, capacity: forThreads })
  const refused = (refusal: Refusal): Refusal => {
    metrics.limited('memory')
    return refusal
  }

  const hold = (tenant: string): MemoryHold | undefined => {
    if (underWay.of(tenant) >= requests) return void refused(busy)
    underWay.add(tenant, 1)
    const meter = bodyCost()
    /**
     * Since when the body could arrive, and how much of it was there then: waiting for memory is not the sender's
     * fault.
     */
    let free = { since: performance.now(), length: 0 }
    let [large, small, read, smallRead] = [0, 0, 0, 0]
    let isOver = false
    let cut: (refusal: Refusal) => void = () => undefined
    const late = {
      cutIfLate: (now: number) => {
        if (large > 0 && now - free.since > grace + ((meter.length - free.length) / pace) * 1000) cut(tooSlow)
      },
    }
    reading.add(late)
    /** Takes a part of a budget, if the request still exists when it is granted. */
    const taken = async (budget: Budget, amount: number): Promise<boolean> => {
      const granted = await budget.take(tenant, amount)
      if (granted && isOver) budget.give(tenant, amount)
      return granted && !isOver
    }
    const enlarge = async (expected: number | undefined): Promise<Refusal | undefined> => {
      const { cost, length } = meter
      if (cost > bodies.share) return tooLarge(bodies.share)
      const foreseen = expected === undefined ? 2 * cost : (cost / length) * expected
      const wanted = Math.min(Math.max(cost, Math.ceil(foreseen)), bodies.share)
      if (!(await taken(bodies, wanted - large))) return refused(busy)
      large = wanted
      free = { since: performance.now(), length: meter.length }
      bodies.giveSmall(tenant, small)
      small = 0
      return undefined
    }
    return {
      piece: (bytes, expected) => {
        meter.add(bytes)
        const { cost, length } = meter
        if (cost <= large) return undefined
        if (isOver) return undefined
        if (large === 0 && length <= smallBody && bodies.takeSmall(tenant, cost - small)) {
          small = cost
          return undefined
        }
        return enlarge(expected)
      },
      whole: () => {
        reading.delete(late)
        if (large > meter.cost) bodies.give(tenant, large - meter.cost)
        large = Math.min(large, meter.cost)
      },
      onCut: (given) => (cut = given),
      thread: async (weight) => {
        const amount = Math.min(weight, threads.share)
        if (!isOver && amount <= smallThread && threads.takeSmall(tenant, amount)) {
          smallRead += amount
          return
        }
        if (!(await taken(threads, amount))) throw refusalError(refused(busy))
        read += amount
      },
      settle: () => {
        const half = Math.floor(large / 2)
        bodies.give(tenant, large - half)
        large = half
      },
      leave: () => {
        if (isOver) return
        isOver = true
        underWay.add(tenant, -1)
        reading.delete(late)
        bodies.give(tenant, large)
        bodies.giveSmall(tenant, small)
        threads.give(tenant, read)
        threads.giveSmall(tenant, smallRead)
        large = small = read = smallRead = 0
      },
    }
  }
  return { hold, bodies, threads }
}

/** The refusal if there is no memory for a request now. */
export const busy: Refusal = {
  status: 503,
  code: 'overloaded',
  problem: 'Running requests use all the memory that this instance has for requests.',
  fix: 'Try again in a moment. Nothing of this request was recorded.',
  headers: { 'retry-after': '2' },
}

const tooSlow: Refusal = {
  status: 408,
  code: 'body_too_slow',
  problem: 'The body arrives so slowly that other requests wait for the memory that is reserved for it.',
  fix: 'Send the body again, faster or in smaller parts.',
  headers: { connection: 'close' },
}

function tooLarge(share: number): Refusal {
  return {
    status: 413,
    code: 'body_too_long',
    problem: `Reading this body needs more memory than the requests of one tenant may use (${Math.floor(share / 2 ** 20)} MB).`,
    fix: 'Send less, give the server a larger heap (NODE_OPTIONS=--max-old-space-size=…), or raise bodiesLimit (MINUTEBOOK_BODIES_LIMIT).',
  }
}

/** Finds out, while a JSON body arrives, about how much memory it takes to read, record and send it on. */
export interface BodyCost {
  add(piece: Uint8Array): void
  /** Bytes of memory, for what has come so far. */
  readonly cost: number
  readonly length: number
}

/**
 * Memory for each character. Measured: the least heap in which a chat of 16 MB is recorded and sent upstream, less that
 * of an idle server.
 */
const perCharacter = 6
/** The same if a text has characters beyond Latin-1: each takes two bytes in every copy. */
const perWideCharacter = 12
/** For each object or list. Measured: chats of 49,000 short messages. */
const perObject = 1000
const perValue = 50

/**
 * One pass, without recursion, in pieces as they come: each step is no longer than its piece.
 *
 * @example
 * const meter = bodyCost()
 * for await (const piece of request) meter.add(piece)
 */
export function bodyCost(): BodyCost {
  let [length, characters, objects, values] = [0, 0, 0, 0]
  let [isWide, isInString, isEscaped] = [false, false, false]
  return {
    add: (piece) => {
      length += piece.length
      let continued = 0
      for (const byte of piece) {
        if (byte >= 0x80) {
          if (byte < 0xc0) continued++
          else if (byte >= 0xc4) isWide = true
          isEscaped = false
        } else if (isInString) {
          if (isEscaped) {
            isEscaped = false
            if (byte === letterU) isWide = true
          } else if (byte === backslash) isEscaped = true
          else if (byte === quote) isInString = false
        } else if (byte === quote) isInString = true
        else if (byte === comma || byte === colon) values++
        else if (byte === brace || byte === bracket) objects++
      }
      characters += piece.length - continued
    },
    get cost() {
      return characters * (isWide ? perWideCharacter : perCharacter) + objects * perObject + values * perValue
    },
    get length() {
      return length
    },
  }
}

const [quote, backslash, comma, colon, brace, bracket, letterU] = [0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x5b, 0x75]
