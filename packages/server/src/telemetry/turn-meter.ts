import { MinutebookError, type TurnResult, type Usage } from 'minutebook'
import type { Metrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'

/** Counts the turns that run here, and writes a line of the log for each. */
export interface TurnMeter {
  /** A thread was woken: it has the slot now. */
  began(thread: string): void
  /** A model call of it is over. */
  called(thread: string, call: { readonly model: string; readonly usage: Usage }): void
  /** The failure of a turn, or what kept it from running. */
  failed(thread: string, error: unknown): void
  /** The turn rests; undefined if there was no turn to run. */
  rested(thread: string, result: TurnResult | undefined): void
}

/** The meter of a tenant. */
export function createTurnMeter(
  { metrics, log }: { readonly metrics: Metrics; readonly log: RequestLog },
  tenant: string,
): TurnMeter {
  const running = new Map<string, Run>()
  return {
    began: (thread) => void running.set(thread, { at: performance.now(), end: metrics.turnBegan() }),
    called: (thread, { model, usage: { prompt = 0, completion = 0 } }) => {
      const run = running.get(thread)
      if (!run) return
      run.model = model
      run.tokens = (run.tokens ?? 0) + prompt + completion
    },
    failed: (thread, error) => {
      const run = running.get(thread)
      if (run) Object.assign(run, { code: codeOf(error), upstreamStatus: statusIn(error) })
      else log.turn({ tenant, thread, status: 'failed', ms: 0, code: codeOf(error) })
    },
    rested: (thread, result) => {
      const run = running.get(thread)
      if (!run) return
      running.delete(thread)
      const { at, end, code, upstreamStatus, model, tokens } = run
      const status = statusOf(result, code)
      end(status)
      if (status === undefined) return
      log.turn({
        tenant,
        thread,
        turn: result?.turn ?? undefined,
        status,
        ms: performance.now() - at,
        model,
        tokens,
        code: code ?? result?.reason?.code,
        upstreamStatus,
      })
    },
  }
}

interface Run {
  readonly at: number
  readonly end: ReturnType<Metrics['turnBegan']>
  code?: string
  upstreamStatus?: number | undefined
  model?: string
  tokens?: number
}

/** Undefined if there was no turn. */
function statusOf(
  result: TurnResult | undefined,
  code: string | undefined,
): Exclude<TurnResult['status'], 'busy'> | undefined {
  if (!result || result.status === 'busy') return code === undefined ? undefined : 'failed'
  return result.status
}

/** Only the code of an error: its message may contain content. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unforeseen'
}

/** What the upstream refused or failed with. */
function statusIn(error: unknown): number | undefined {
  const status = MinutebookError.isInstance(error) ? error.details['status'] : undefined
  return typeof status === 'number' ? status : undefined
}
