import { printableLine, type RunBoard } from '@minutebook/server'
import type { Cell, CellEffect, Column, Value } from '@minutebook/experiment/run'
import { figure } from '../figures.ts'
import type { Paint } from '../paint.ts'

type Status = RunBoard['status']

const looks: Readonly<Record<Status, readonly [mark: string, colour: keyof Paint]>> = {
  running: ['▶', 'cyan'],
  paused: ['‖', 'yellow'],
  stopping: ['■', 'yellow'],
  success: ['✓', 'green'],
  failure: ['✗', 'red'],
  limit: ['–', 'magenta'],
  stopped: ['■', 'dim'],
  error: ['✗', 'red'],
}

export function statusText(status: Status, paint: Paint): string {
  const [mark, colour] = looks[status]
  return paint[colour](`${mark} ${status}`)
}

export function colourOf(status: Status): keyof Paint {
  return looks[status][1]
}

/** A value on one line. */
export function valueText(value: Value | undefined): string {
  if (typeof value === 'number') return numberText(value)
  return typeof value === 'string' ? printableLine(value) : printableLine(JSON.stringify(value ?? null))
}

/** With its thousands set apart, and no more digits than tell something. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return value < 0 ? `-${figure(-value)}` : figure(value)
  return String(Number(value.toPrecision(6)))
}

export interface Spent {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  readonly cost?: number
}

export function spentText({ calls, prompt, completion, cost }: Spent): string {
  return `${figure(calls)} ${calls === 1 ? 'call' : 'calls'}, ${figure(prompt + completion)} tokens${cost === undefined ? '' : `, cost ${numberText(cost)}`}`
}

/** What a participant does in a round. */
export function doing(
  { play, order, isOver, cells }: Column,
  participant: string,
  isRunning: boolean,
): { readonly state: 'over' | 'busy' | 'waiting' | 'failed' | 'out'; readonly text: string } {
  if (!order.includes(participant)) return { state: 'out', text: 'does not play in this round' }
  const cell = cells.findLast((one) => one.participant === participant)
  if (cell && cell.status !== 'playing')
    return { state: cell.status === 'failed' ? 'failed' : 'over', text: toldText(cell) }
  if (cell) return { state: 'busy', text: toldText(cell) }
  const isNext =
    play === 'parallel' ||
    order.find((name) => !cells.some((one) => one.participant === name && one.status !== 'playing')) === participant
  if (isOver || !isNext || (play === 'addressed' && cells.length > 0)) return { state: 'waiting', text: 'waits' }
  return isRunning ? { state: 'busy', text: 'thinks…' } : { state: 'waiting', text: 'waits' }
}

/** What a turn did: its tools, and its words. */
export function toldText({ status, text, reason, effects }: Cell): string {
  const did = effects.map(calledText)
  const said =
    status === 'failed' || status === 'cancelled'
      ? `${status}${reason ? `: ${printableLine(reason.message)}` : ''}`
      : printableLine(text)
  return [...did, ...(status === 'playing' ? ['…'] : said === '' ? [] : [said])].join(' · ')
}

/** A tool call with its arguments, and its outcome if it did nothing. */
export function calledText({ tool, input, status }: Pick<CellEffect, 'tool' | 'input' | 'status'>): string {
  return `${tool}(${Object.entries(input)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ')})${status === 'done' ? '' : ` ${status}`}`
}
