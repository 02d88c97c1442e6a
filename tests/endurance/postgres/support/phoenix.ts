import { startScript } from '../../../support/process/script-of-test.ts'

/** Processes that are started again whenever one dies. */
export interface Phoenix {
  /** What they complained of. */
  readonly errors: readonly string[]
  deaths(): number
  /** Ends them for good. */
  end(): void
}

export function startPhoenix(size: number, script: string, ...args: string[]): Phoenix {
  const errors: string[] = []
  const alive = new Set<ReturnType<typeof startScript>>()
  let [deaths, isOver] = [0, false]
  const live = async (): Promise<void> => {
    while (!isOver) {
      const child = startScript(script, ...args)
      alive.add(child)
      for await (const line of child.lines) if (line.startsWith('error')) errors.push(line)
      await child.ended
      alive.delete(child)
      if (!isOver) deaths++
      if (!isOver && child.process.signalCode !== 'SIGKILL') errors.push(`ended with ${child.process.exitCode}`)
      // One that cannot start must not be started for ever.
      if (errors.length > 20) return
    }
  }
  for (let count = 0; count < size; count++) void live()
  return {
    errors,
    deaths: () => deaths,
    end: () => {
      isOver = true
      for (const child of alive) child.process.kill('SIGKILL')
    },
  }
}
