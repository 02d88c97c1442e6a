import { nextLine, type Script } from '../process/script.ts'

/** Instances in processes of their own, that can be killed and are replaced. */
export interface Fleet {
  /** Those that run turns now, by name. */
  readonly instances: ReadonlyMap<string, Script>
  /** Kills an instance with no warning, and starts another in its place. */
  replace(name: string): void
  /** Once all that were started run turns. */
  ready(): Promise<void>
}

export interface FleetOptions {
  /** Starts an instance under this name. */
  readonly start: (name: string) => Script
  /** Hears each line that an instance says once it is ready. Complains of what failed unless told. */
  readonly hear?: (name: string, line: string) => void
}

export async function startFleet(size: number, { start, hear = complain }: FleetOptions): Promise<Fleet> {
  const instances = new Map<string, Script>()
  const starting = new Set<Promise<void>>()
  const failures: unknown[] = []
  let started = 0
  const startNext = async (): Promise<void> => {
    const name = `instance ${++started}`
    const child = start(name)
    const line = await nextLine(child)
    if (line !== 'ready') throw new Error(`An instance did not start: ${line}`)
    instances.set(name, child)
    void listen(child, (said) => hear(name, said))
  }
  const begin = (): void => {
    const beginning = startNext()
      // Told to the next one who waits. One that is still being started when the test ends is ended with it.
      .catch((error: unknown) => void failures.push(error))
      .finally(() => starting.delete(beginning))
    starting.add(beginning)
  }
  const ready = async (): Promise<void> => {
    await Promise.all(starting)
    if (failures.length > 0) throw failures[0]
  }
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

async function listen({ lines }: Script, hear: (line: string) => void): Promise<void> {
  for await (const line of lines) hear(line)
}

function complain(name: string, line: string): void {
  if (line.startsWith('error')) console.error(`${name}: ${line}`)
}
