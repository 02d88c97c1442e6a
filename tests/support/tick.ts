/** One round of the event loop. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
