import type { Terminal } from './terminal.ts'

/** Waits for Ctrl-C or a request to end, then closes; a second Ctrl-C does not wait for what is under way. */
export async function untilStopped(terminal: Terminal, close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
  const atOnce = (): never => process.exit(130)
  for (const signal of signals) process.once(signal, atOnce)
  const told = setTimeout(
    () => terminal.remark('Waiting for answers that are under way; Ctrl-C again ends at once.'),
    300,
  )
  await close()
  clearTimeout(told)
  for (const signal of signals) process.off(signal, atOnce)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
