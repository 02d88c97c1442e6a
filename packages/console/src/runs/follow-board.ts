import { eventsIn } from '@minutebook/client'
import { apiFetch } from '../api/session.ts'
import type { RunApi } from './run-api.ts'
import type { RunBoard } from './types.ts'
import { withChange, type BoardChange } from './with-change.ts'

export interface Following {
  readonly signal: AbortSignal
  readonly onBoard: (board: RunBoard) => void
  /** Whether what happens cannot be heard of right now. */
  readonly onCutOff: (isCutOff: boolean) => void
}

/** Follows a run, over as many connections as it takes. */
export async function followBoard(api: RunApi, run: string, { signal, onBoard, onCutOff }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      await hear(run, signal, onBoard)
      if (signal.aborted) return
      // Whoever ends a stream may have more to tell.
      onBoard(await api.board(run, signal))
      onCutOff(false)
    } catch {
      if (signal.aborted) return
      onCutOff(true)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Milliseconds. */
const pause = 1000

async function hear(run: string, signal: AbortSignal, onBoard: (board: RunBoard) => void): Promise<void> {
  const response = await apiFetch(`/minutebook/v1/runs/${encodeURIComponent(run)}/events`, {
    headers: { accept: 'text/event-stream' },
    signal,
  })
  if (!response.ok || !response.body)
    throw new Error(`The stream of the run was refused with status ${response.status}.`)
  let newest: RunBoard | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = (): void => {
    timer = undefined
    if (newest && !signal.aborted) onBoard(newest)
  }
  try {
    for await (const { event, data } of eventsIn(response.body) as AsyncIterable<{
      readonly event: string
      readonly data: unknown
    }>) {
      if (event === 'board') newest = data as RunBoard
      if (event === 'change' && newest) newest = withChange(newest, data as BoardChange)
      timer ??= setTimeout(draw, drawEvery)
    }
  } finally {
    clearTimeout(timer)
    draw()
  }
}

/** Milliseconds: a run with a quick model changes more often than one can read. */
const drawEvery = 100
