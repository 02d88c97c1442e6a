import { randomBytes } from 'node:crypto'

/** Codes that let the local operator in, each once. */
export interface LoginCodes {
  issue(): string
  /** Whether it was one that nobody has used yet. */
  redeem(code: string): boolean
}

/**
 * Kept in memory: they end with the server, and after an hour.
 *
 * @example
 * const codes = createLoginCodes(() => Date.now())
 * codes.redeem(codes.issue()) // true, and only once
 */
export function createLoginCodes(now: () => number): LoginCodes {
  const issued = new Map<string, number>()
  return {
    issue: () => {
      const code = randomBytes(24).toString('base64url')
      if (issued.size >= most) issued.delete(issued.keys().next().value!)
      issued.set(code, now())
      return code
    },
    redeem: (code) => {
      const time = issued.get(code)
      issued.delete(code)
      return time !== undefined && now() - time < longestLife
    },
  }
}

/** Milliseconds. */
const longestLife = 3_600_000
const most = 100
