import type { KnownKey } from '@minutebook/server'

/** Whether a key gives access at this time: it is not revoked, and has not ended by itself. */
export function isActive({ revoked, expires }: KnownKey, now: number = Date.now()): boolean {
  return revoked === undefined && (expires === undefined || Date.parse(expires) > now)
}
