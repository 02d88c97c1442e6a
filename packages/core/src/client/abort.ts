/** A controller that aborts with the signals it is linked to, until it is released. */
export interface Link {
  readonly controller: AbortController
  follow(signal: AbortSignal | null | undefined): void
  /** Aborts what still runs and lets go of the signals. */
  release(): void
}

export function linked(signal: AbortSignal): Link {
  const controller = new AbortController()
  const followed: AbortSignal[] = []
  const abort = (): void => controller.abort()
  const link: Link = {
    controller,
    follow: (other) => {
      if (!other) return
      followed.push(other)
      other.addEventListener('abort', abort, { once: true })
      if (other.aborted) abort()
    },
    release: () => {
      for (const other of followed) other.removeEventListener('abort', abort)
      abort()
    },
  }
  link.follow(signal)
  return link
}

/** The promise, or a rejection as soon as the signal aborts: not every fetch listens to its signal. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined
  const aborting = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, aborting])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
