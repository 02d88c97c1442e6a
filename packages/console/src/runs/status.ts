import type { RunStatus } from './types.ts'

/** What somebody can want of a run. */
export type Wish = 'pause' | 'resume' | 'stop' | 'retry'

export interface StatusLook {
  readonly word: string
  readonly tone: 'plain' | 'warn' | 'bad' | 'good' | 'accent'
}

export const statusLooks: Readonly<Record<RunStatus, StatusLook>> = {
  running: { word: 'running', tone: 'accent' },
  paused: { word: 'paused', tone: 'warn' },
  stopping: { word: 'stopping', tone: 'warn' },
  success: { word: 'success', tone: 'good' },
  failure: { word: 'failure', tone: 'bad' },
  limit: { word: 'limit', tone: 'plain' },
  stopped: { word: 'stopped', tone: 'plain' },
  error: { word: 'error', tone: 'bad' },
}

export const statuses = Object.keys(statusLooks) as readonly RunStatus[]

const possible: Readonly<Record<RunStatus, readonly Wish[]>> = {
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopping: [],
  success: [],
  failure: [],
  limit: [],
  stopped: ['retry'],
  error: ['retry'],
}

/** Whether a run that stands like this can be told so. */
export function canBe(status: RunStatus, wish: Wish): boolean {
  return possible[status].includes(wish)
}

/** Whether nothing happens in it any more, unless somebody wants so. */
export function isOver(status: RunStatus): boolean {
  return status !== 'running' && status !== 'paused' && status !== 'stopping'
}
