import type { Cell, CellEffect, Column, Environment, Value } from '@minutebook/experiment/run'
import { printableLine, type RunBoard } from '@minutebook/server'
import { createPaint, type Paint } from '../terminal/terminal.ts'
import { clipped, figure, textWidth } from '../terminal/text.ts'

type Status = RunBoard['status']

const looks: Readonly<Record<Status, readonly [mark: string, colour: keyof Paint]>> = {
  running: ['▶', 'cyan'],
  waiting: ['?', 'yellow'],
  paused: ['‖', 'yellow'],
  stopping: ['■', 'yellow'],
  success: ['✓', 'green'],
  failure: ['✗', 'red'],
  limit: ['–', 'magenta'],
  stopped: ['■', 'dim'],
  error: ['✗', 'red'],
}

/** Without colours: for texts that are measured, or go into a file. */
export const plain: Paint = createPaint(false)

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

/** A number with thousands separators and at most six significant digits. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return value < 0 ? `-${figure(-value)}` : figure(value)
  return String(Number(value.toPrecision(6)))
}

interface Spending {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  readonly cost?: number
}

export function spentText({ calls, prompt, completion, cost }: Spending): string {
  return `${figure(calls)} ${calls === 1 ? 'call' : 'calls'}, ${figure(prompt + completion)} tokens${cost === undefined ? '' : `, cost ${numberText(cost)}`}`
}

/** What a participant does in a round. */
export function doing(
  { play, order, isOver, cells }: Column,
  participant: string,
  isRunning: boolean,
): { readonly state: 'over' | 'busy' | 'asked' | 'waiting' | 'failed' | 'out'; readonly text: string } {
  if (!order.includes(participant)) return { state: 'out', text: 'does not play in this round' }
  const cell = cells.findLast((one) => one.participant === participant)
  if (cell?.status === 'asked') return { state: 'asked', text: 'was asked, and has not answered' }
  if (cell && cell.status !== 'playing')
    return { state: cell.status === 'failed' ? 'failed' : 'over', text: turnText(cell) }
  if (cell) return { state: 'busy', text: turnText(cell) }
  const isNext =
    play === 'parallel' ||
    order.find((name) => !cells.some((one) => one.participant === name && isTaken(one))) === participant
  if (isOver || !isNext || (play === 'addressed' && cells.length > 0)) return { state: 'waiting', text: 'waits' }
  return isRunning ? { state: 'busy', text: 'thinks…' } : { state: 'waiting', text: 'waits' }
}

/** Whether a turn is over. */
export function isTaken({ status }: Pick<Cell, 'status'>): boolean {
  return status !== 'playing' && status !== 'asked'
}

/** What a turn did: its tool calls, and its text. */
export function turnText({ status, text, reason, effects }: Cell): string {
  const calls = effects.map(callText)
  const answer =
    status === 'failed' || status === 'cancelled'
      ? `${status}${reason ? `: ${printableLine(reason.message)}` : ''}`
      : printableLine(text)
  return [
    ...calls,
    ...(status === 'playing'
      ? ['…']
      : status === 'asked'
        ? ['was asked, and has not answered']
        : answer === ''
          ? []
          : [answer]),
  ].join(' · ')
}

/** A tool call with its arguments, and its outcome if it did nothing. */
export function callText({ tool, input, status }: Pick<CellEffect, 'tool' | 'input' | 'status'>): string {
  return `${tool}(${Object.entries(input)
    .map(([name, value]) => `${printableLine(name)}: ${valueText(value)}`)
    .join(', ')})${status === 'done' ? '' : ` ${status}`}`
}

/** The environment in as many lines as needed. Changed variables are marked. `widest`: columns of a value. */
export function environmentLines(
  now: Environment,
  before: Environment,
  width: number,
  widest: number,
  paint: Paint,
): string[] {
  const lines: string[] = []
  for (const [name, value] of Object.entries(now)) {
    const text = variableText(name, value, before[name], Math.max(20, Math.floor(widest)), paint)
    const last = lines.at(-1)
    if (last === undefined || textWidth(last) + textWidth(text) + 3 > width) lines.push(text)
    else lines[lines.length - 1] = `${last}   ${text}`
  }
  return lines
}

function variableText(name: string, value: Value, before: Value | undefined, widest: number, paint: Paint): string {
  const shown = clipped(valueText(value), widest)
  if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return `${paint.dim(name)} ${shown}`
  const change =
    typeof value === 'number' && typeof before === 'number'
      ? ` ${value > before ? '▲' : '▼'}${numberText(Math.abs(Number((value - before).toPrecision(6))))}`
      : ' *'
  return `${paint.bold(name)} ${paint.bold(shown)}${paint.yellow(change)}`
}
