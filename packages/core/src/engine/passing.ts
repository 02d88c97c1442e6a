import { MinutebookError } from '../log/error.ts'

/** Whether an error is of a store that cannot be reached or written to for the moment: then trying again later is right. */
export function mayPass(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code.startsWith('store_') && !final.has(error.code)
}

/** Those that no waiting mends. */
const final: ReadonlySet<string> = new Set(['store_corrupt', 'store_closed'])
