import type { Case } from './cases.ts'
import { exponentOf, growthOf, negligible, type Growth } from './growth.ts'
import type { MeasuredServer } from './measured-server.ts'

/** From here on it is measured with care. */
const doubtful = 1.15

export interface Measured extends Growth {
  readonly name: string
}

/**
 * How the time of each request grows: the largest against one of a quarter. What takes next to nothing at its largest
 * is not looked at further; what looks steep is measured at n, 2n, 4n and 8n, five times each, since a machine that
 * does other things makes noise.
 */
export async function measureAll(
  server: MeasuredServer,
  cases: readonly Case[],
  onSlow: (measured: Measured) => void = () => undefined,
): Promise<Measured[]> {
  let count = 0
  const found: Measured[] = []
  for (const { name, sizes, request } of cases) {
    const measure = (size: number): Promise<number> => {
      const sent = request(size, `unique${count++}`)
      return server.during(async () => {
        const { status, text } = await server.send(sent)
        if (status >= 500) throw new Error(`${name} at ${size}: ${status} ${text.slice(0, 300)}`)
      })
    }
    const largest = await measure(sizes.at(-1) ?? 1)
    if (largest < negligible) {
      found.push({ name, sizes, times: [0, 0, 0, largest], exponent: 0 })
      continue
    }
    const early = sizes[1] ?? 1
    const once = { sizes: [early, sizes.at(-1) ?? 1], times: [await measure(early), largest] }
    const growth =
      exponentOf(once.sizes, once.times) < doubtful
        ? { ...once, exponent: exponentOf(once.sizes, once.times) }
        : await growthOf(sizes, measure)
    found.push({ name, ...growth })
    onSlow({ name, ...growth })
  }
  return found.toSorted((one, other) => other.exponent - one.exponent)
}
