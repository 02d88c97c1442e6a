import { createHash, hash } from 'node:crypto'
import type { Sha256 } from './sha256.ts'

/** Returns the same as sha256.ts, several times as fast. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

export type { Sha256 }

/** Hashes a text that comes in pieces. */
export function createSha256(): Sha256 {
  const whole = createHash('sha256')
  return { add: (piece) => void whole.update(piece), digest: () => whole.digest('hex') }
}
