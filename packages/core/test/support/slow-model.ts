import type { Model } from 'minutebook'
import { script, type Line } from './scripted.ts'

/** A model that waits before each of its lines until it is let go; told to stop, it stops. */
export function slow(...lines: readonly Line[]): { readonly model: Model; readonly release: () => void } {
  const scripted = script(...lines)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const model: Model = async function* (request) {
    yield { type: 'text', text: '' }
    await Promise.race([
      gate,
      new Promise<never>((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted')))),
    ])
    yield* scripted(request)
  }
  return { model, release: () => release() }
}
