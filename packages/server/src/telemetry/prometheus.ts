/** Numbers by labels, as Prometheus reads them. */
export interface Counter {
  add(labels: readonly string[], by?: number): void
  text(): string
}

export interface Histogram {
  observe(labels: readonly string[], value: number): void
  text(): string
}

/** `known`: labels that are there from the start, at 0. */
export function createCounter(
  name: string,
  help: string,
  labels: readonly string[],
  known: readonly (readonly string[])[] = [],
): Counter {
  const values = new Map(known.map((given) => [written(labels, given), 0]))
  return {
    add: (given, by = 1) => {
      const key = written(labels, given)
      values.set(key, (values.get(key) ?? 0) + by)
    },
    text: () =>
      head(name, help, 'counter') + [...values].map(([key, value]) => `${name}${braced(key)} ${value}\n`).join(''),
  }
}

export function createHistogram(
  name: string,
  help: string,
  labels: readonly string[],
  bounds: readonly number[],
): Histogram {
  const series = new Map<string, { readonly buckets: number[]; sum: number; count: number }>()
  return {
    observe: (given, value) => {
      const key = written(labels, given)
      const one = series.get(key) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
      bounds.forEach((bound, index) => {
        if (value <= bound) one.buckets[index] = (one.buckets[index] ?? 0) + 1
      })
      one.sum += value
      one.count++
    },
    text: () =>
      head(name, help, 'histogram') +
      [...series]
        .map(([key, { buckets, sum, count }]) =>
          [
            ...bounds.map(
              (bound, index) => `${name}_bucket${braced(withBound(key, String(bound)))} ${buckets[index]}\n`,
            ),
            `${name}_bucket${braced(withBound(key, '+Inf'))} ${count}\n`,
            `${name}_sum${braced(key)} ${sum}\n`,
            `${name}_count${braced(key)} ${count}\n`,
          ].join(''),
        )
        .join(''),
  }
}

function withBound(key: string, bound: string): string {
  return `${key === '' ? '' : `${key},`}le="${bound}"`
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function written(labels: readonly string[], given: readonly string[]): string {
  return labels.map((label, index) => `${label}="${escaped(given[index] ?? '')}"`).join(',')
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** Read on each scrape: a number, or one for each value of the label. */
export type Reading = () => number | Readonly<Record<string, number>>

/**
 * Numbers that go up and down. Every part of a server that has such a number registers how to read it; several add up.
 */
export interface Gauge {
  read(reading: Reading): () => void
  text(): string
}

export function createGauge(name: string, help: string, label?: string): Gauge {
  const readings = new Set<Reading>()
  return {
    read: (reading) => {
      readings.add(reading)
      return () => void readings.delete(reading)
    },
    text: () => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines(name, label, readings).join('')}`,
  }
}

function lines(name: string, label: string | undefined, readings: ReadonlySet<Reading>): string[] {
  const sums = new Map<string, number>()
  const add = (key: string, value: number): void => void sums.set(key, (sums.get(key) ?? 0) + value)
  if (label === undefined) add('', 0)
  for (const reading of readings) {
    const read = reading()
    if (typeof read === 'number') add('', read)
    else for (const [key, value] of Object.entries(read)) add(`{${label ?? 'of'}="${key}"}`, value)
  }
  return [...sums].map(([key, value]) => `${name}${key} ${value}\n`)
}
