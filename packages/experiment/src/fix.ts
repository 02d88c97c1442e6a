import { nearestName } from 'minutebook/inspect'

/** What to do about a problem: in words, or a name that is not known among those that are. */
export type Fix = string | UnknownName

/** Whether a known name is near is found out only if somebody is told: that takes time for each of them. */
export interface UnknownName {
  readonly name: string
  readonly known: readonly string[]
  /** Said too if no known name is near. */
  readonly otherwise?: string | undefined
}

/** In words. `isSought`: whether a known name that is near is looked for. */
export function fixText(fix: Fix, isSought = true): string {
  if (typeof fix === 'string') return fix
  const { name, known, otherwise } = fix
  const near = isSought ? nearestName(name, known) : undefined
  if (near !== undefined) return `did you mean "${near}"?`
  return `${among(known)}${otherwise === undefined ? '' : `; ${otherwise}`}`
}

function among(known: readonly string[]): string {
  if (known.length === 0) return 'there are none'
  return `there is ${known.slice(0, mostShown).join(', ')}${known.length > mostShown ? ', …' : ''}`
}

const mostShown = 20

/** What to do, as a sentence of its own: `write "a"` becomes `Write "a".` */
export function sentence(fix: string): string {
  return `${fix.charAt(0).toUpperCase()}${fix.slice(1)}${/[.?]$/.test(fix) ? '' : '.'}`
}
