import type { Terminal } from './terminal.ts'

/** Waits for Ctrl-C or another signal to end, then closes. A second Ctrl-C exits without waiting for answers. */
export async function untilStopped(terminal: Terminal, close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
  const atOnce = (): never => process.exit(130)
  for (const signal of signals) process.once(signal, atOnce)
  const notice = setTimeout(
    () => terminal.remark('Waiting for unfinished answers. Press Ctrl-C again to exit at once.'),
    300,
  )
  await close()
  clearTimeout(notice)
  for (const signal of signals) process.off(signal, atOnce)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
