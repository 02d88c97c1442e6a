import type { Model } from 'minutebook'
import { script, type Line } from './scripted.ts'

/** A model that fails until `recover` is called. Then it says these lines. */
export function downAtFirst(...lines: readonly Line[]): { readonly model: Model; readonly recover: () => void } {
  const scripted = script(...lines)
  let isDown = true
  const model: Model = (request) => {
    if (isDown) throw new Error('down')
    return scripted(request)
  }
  return { model, recover: () => void (isDown = false) }
}
