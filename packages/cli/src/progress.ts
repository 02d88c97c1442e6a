import { figure } from './figures.ts'
import type { Terminal } from './terminal.ts'

/** Says on `errors` how far long work has come: from the second half second on, and only to a terminal. */
export interface Progress {
  at(done: number, total?: number): void
  /** Takes the line away. */
  end(): void
}

export function createProgress(
  { errors }: Terminal,
  doing: string,
  unit: string,
  now: () => number = Date.now,
): Progress {
  const start = now()
  let told = 0
  return {
    at: (done, total) => {
      const time = now()
      if (errors.isTTY !== true || time - start < 500 || time - told < 100) return
      told = time
      const share =
        total === undefined || total === 0 ? '' : ` of ${figure(total)} (${Math.floor((done / total) * 100)}%)`
      errors.write(`\r\u001b[2K${doing}: ${figure(done)}${share} ${unit}`)
    },
    end: () => {
      if (told !== 0) errors.write('\r\u001b[2K')
    },
  }
}
