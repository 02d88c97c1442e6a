import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../../../support/process/child.ts'
import { within } from '../../../support/patience.ts'

/** What a process holds at rest. */
export interface Holding {
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly files: number
  readonly handles: number
}

/**
 * The least that a process holds within a second and a half: on a busy machine it takes a while to put away what was
 * left behind.
 */
export async function restingOf(child: Child): Promise<Holding> {
  const looks: Holding[] = []
  for (let look = 0; look < 5; look++) {
    await pause(300)
    looks.push(await holdingOf(child))
  }
  const least = (field: keyof Holding): number => Math.min(...looks.map((each) => each[field]))
  return {
    rss: least('rss'),
    heap: least('heap'),
    external: least('external'),
    files: least('files'),
    handles: least('handles'),
  }
}

/** Asks a process that runs with probe.ts. */
function holdingOf({ process: child }: Child): Promise<Holding> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The process does not say what it holds.')), within(60_000))
    child.once('message', (holding) => {
      clearTimeout(late)
      resolve(holding as Holding)
    })
    child.send('what do you hold?', (error) => error && reject(error))
  })
}

/** How much more it holds in the last third of the samples than in the first, median against median. */
export function growthOf(samples: readonly Holding[]): Holding {
  const third = Math.max(1, Math.floor(samples.length / 3))
  const middle = (part: readonly Holding[], field: keyof Holding): number =>
    part.map((each) => each[field]).toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0
  const grown = (field: keyof Holding): number =>
    middle(samples.slice(-third), field) - middle(samples.slice(0, third), field)
  return {
    rss: grown('rss'),
    heap: grown('heap'),
    external: grown('external'),
    files: grown('files'),
    handles: grown('handles'),
  }
}

export function holdingLine({ rss, heap, external, files, handles }: Holding): string {
  const mega = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `resident ${mega(rss)}, heap ${mega(heap)}, external ${mega(external)}, ${files} files, ${handles} handles`
}
