/**
 * How long ago that was; a date where it was long ago.
 *
 * @example
 * agoOf(0, 90_000) // '1 min'
 */
export function agoOf(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000)
  if (seconds < 60) return 'now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d`
  return new Date(then).toISOString().slice(0, 10)
}
