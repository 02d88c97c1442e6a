import { MinutebookError } from '../log/error.ts'
import { oneLine } from './gist.ts'

/**
 * Renders one JSON shape, or one tool's results, in a few words. The version is part of its id, so that
 * a policy says which rendering it means.
 *
 * Contract: pure, and undefined for a value that is not its shape. One that throws is taken to mean undefined.
 * What it returns is put on one line, so that a value cannot write lines of its own.
 *
 * @example
 * const weather: Digester = {
 *   id: 'weather@1',
 *   tool: 'get_weather',
 *   digest: (value) => (isWeather(value) ? `${value.city}, ${value.degrees} °C` : undefined),
 * }
 */
export interface Digester {
  readonly id: `${string}@${number}`
  /** Only for results of this tool; without it, for answers and results of any. */
  readonly tool?: string
  digest(value: unknown): string | undefined
}

/** The first rendering that a digester has for the value. */
export function digestValue(value: unknown, tool: string | undefined, digesters: readonly Digester[]): string | undefined {
  for (const digester of digesters) {
    if (digester.tool !== undefined && digester.tool !== tool) continue
    const text = attempt(digester, value)
    if (text !== undefined) return text
  }
  return undefined
}

/** The digesters that a policy names, in its order; all of them when it names none. */
export function chooseDigesters(digesters: readonly Digester[], names: readonly string[] | undefined): readonly Digester[] {
  for (const digester of digesters) {
    if (typeof digester?.digest === 'function' && typeof digester.id === 'string' && digester.id.includes('@')) continue
    throw new MinutebookError('invalid_digester', 'This is not a digester; pass { id, digest(value) } with an id such as weather@1.')
  }
  if (!names) return digesters
  return names.map((name) => {
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}; pass it in digesters.`, { name })
  })
}

function attempt(digester: Digester, value: unknown): string | undefined {
  try {
    const text = digester.digest(value)
    return typeof text === 'string' ? oneLine(text) || undefined : undefined
  } catch {
    return undefined
  }
}
