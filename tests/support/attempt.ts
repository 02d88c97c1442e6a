import { compile, MinutebookError, type CompileResult, type CompileOptions, type Message } from 'minutebook'
import type { Log } from './entries.ts'

/** The compiled prompt, or undefined where what must be sent does not fit. Any other error is thrown on. */
export function attempt(log: Log, options: CompileOptions): CompileResult | undefined {
  return unlessOverflow(() => compile(log as readonly Message[], options))
}

export function unlessOverflow(run: () => CompileResult): CompileResult | undefined {
  try {
    return run()
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'window_overflow') return undefined
    throw error
  }
}
