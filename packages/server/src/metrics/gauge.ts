/** What is asked for when somebody looks: a number, or one for each value of the label. */
export type Reading = () => number | Readonly<Record<string, number>>

/** Numbers that go up and down. Every part of a server that has such a number says how to read it; several add up. */
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
