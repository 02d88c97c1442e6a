import type { Child } from '../../../../bench/gateway/child.ts'

/** What a process holds at rest. */
export interface Holding {
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly files: number
  readonly handles: number
}

export const holdingFields = ['rss', 'heap', 'external', 'files', 'handles'] as const

/** Asks a process that runs with probe.ts. */
export function holdingOf({ process: child }: Child): Promise<Holding> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The process does not say what it holds.')), 20_000)
    child.once('message', (holding) => {
      clearTimeout(late)
      resolve(holding as Holding)
    })
    child.send('what do you hold?')
  })
}

/** How much more it holds in the last third of the samples than in the first, median against median. */
export function growthOf(samples: readonly Holding[]): Holding {
  const third = Math.max(1, Math.floor(samples.length / 3))
  const middle = (part: readonly Holding[], field: keyof Holding): number => part.map((each) => each[field]).toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0
  const grown = (field: keyof Holding): number => middle(samples.slice(-third), field) - middle(samples.slice(0, third), field)
  return { rss: grown('rss'), heap: grown('heap'), external: grown('external'), files: grown('files'), handles: grown('handles') }
}

export function holdingLine({ rss, heap, external, files, handles }: Holding): string {
  const mega = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `resident ${mega(rss)}, heap ${mega(heap)}, external ${mega(external)}, ${files} files, ${handles} handles`
}
