import { nextLine, startChild, type Child } from './child.ts'

/** Instances in processes of their own, that can be killed and are replaced. */
export interface Fleet {
  /** Those that run turns now, by name. */
  readonly instances: ReadonlyMap<string, Child>
  /** Kills an instance with no warning, and starts another in its place. */
  replace(name: string): void
  /** Once all that were started run turns. */
  ready(): Promise<void>
}

export async function startFleet(size: number, url: string, step: number): Promise<Fleet> {
  const instances = new Map<string, Child>()
  const starting = new Set<Promise<void>>()
  let started = 0
  const start = async (): Promise<void> => {
    const name = `instance ${++started}`
    const child = startChild('crash-instance.ts', url, name, String(step))
    const line = await nextLine(child)
    if (line !== 'ready') throw new Error(`An instance did not start: ${line}`)
    instances.set(name, child)
    void complain(name, child)
  }
  const begin = (): void => {
    const beginning = start().finally(() => starting.delete(beginning))
    starting.add(beginning)
  }
  const ready = async (): Promise<void> => void (await Promise.all(starting))
  for (let count = 0; count < size; count++) begin()
  await ready()
  return {
    instances,
    ready,
    replace: (name) => {
      instances.get(name)!.process.kill('SIGKILL')
      instances.delete(name)
      begin()
    },
  }
}

/** What an instance says beyond that it is ready is that something failed. */
async function complain(name: string, { lines }: Child): Promise<void> {
  for await (const line of lines) console.error(`${name}: ${line}`)
}
