import { printableLine } from '@minutebook/server'
import { figure } from './figures.ts'
import type { Terminal } from './terminal.ts'

/** A request, as the server's log has it. */
interface Line {
  readonly msg?: string
  readonly code?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly ms?: number
  readonly thread?: string
  readonly mode?: string
  readonly tokens?: number
  readonly read?: number
  readonly truncated?: string
}

/**
 * The server's log for who watches it in a terminal: chats and what went wrong, a line each. Programs get the JSON as
 * it is.
 */
export function requestLog(terminal: Terminal): { write(line: string): void } | undefined {
  if (terminal.errors.isTTY !== true) return undefined
  return {
    write: (text) => {
      const line = logLine(JSON.parse(text) as Line, terminal)
      if (line !== undefined) terminal.remark(line)
    },
  }
}

function logLine(
  { msg, code, method, route, status = 0, ms = 0, thread, mode, tokens, read, truncated }: Line,
  { paintErrors: paint }: Terminal,
): string | undefined {
  if (msg !== undefined) return paint.red(printableLine(`${msg}${code === undefined ? '' : ` (${code})`}`))
  const isWrong = status >= 400
  if (thread === undefined && !isWrong) return undefined
  const facts = [
    `${method} ${route}`,
    isWrong ? paint.red(String(status)) : paint.green(String(status)),
    `${(ms / 1000).toFixed(1)} s`,
    ...(mode === undefined ? [] : [mode]),
    ...(tokens === undefined ? [] : [`sent ≈ ${figure(tokens)} tokens`]),
    ...(read === undefined ? [] : [`server read ${figure(read)}`]),
    ...(thread === undefined ? [] : [paint.dim(printableLine(thread))]),
    ...(code === undefined ? [] : [paint.red(printableLine(code))]),
    ...(truncated === 'yes' ? [paint.red('the upstream cut the prompt')] : []),
  ]
  return `  ${facts.join(' · ')}`
}
