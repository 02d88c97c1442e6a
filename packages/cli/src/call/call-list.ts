import {
  flagsOf,
  printableLine,
  type Archive,
  type CallPage,
  type ListedCall,
  type ListedCalls,
} from '@minutebook/server'
import { secondsText } from '@minutebook/inspect'
import { badOutcomes } from 'minutebook/inspect'
import { tableLines, type Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { figure } from '../terminal/text.ts'

/** Which calls of all threads are wanted, and how many. */
export interface WantedCalls extends CallPage {
  readonly limit: number
}

/** The newest of these calls. A filter looks at a limited number of calls, so there may be fewer, and still a `next`. */
export async function newestCalls(
  archive: Pick<Archive, 'calls'>,
  { limit, after, ...filter }: WantedCalls,
): Promise<ListedCalls> {
  const calls: ListedCall[] = []
  let list: ListedCalls = { calls, ...(after !== undefined && { next: after }) }
  for (let page = 0; page < mostPages; page++) {
    list = await archive.calls({ ...filter, after: list.next, limit: Math.min(mostAtOnce, limit - calls.length) })
    calls.push(...list.calls)
    if (list.next === undefined || calls.length >= limit) break
  }
  return { ...list, calls }
}

const mostPages = 20
/** What a server returns at once. */
const mostAtOnce = 500

/** A list of model calls as lines. More calls can be printed below it. */
interface CallTable {
  readonly heading: string
  readonly row: (call: ListedCall) => string
}

/** Lays out a list of model calls, one line for each. `calls`: those that are known. A pipe gets every column. */
export function callTable(calls: readonly ListedCall[], terminal: Terminal, now: number): CallTable {
  const width = terminal.textColumns()
  const shown = columnsOf(calls, terminal, now).filter(({ from = 0 }) => width >= from)
  const cells = (call: ListedCall): string[] => shown.map(({ of }) => of(call))
  const { heading, row } = tableLines(shown, calls.map(cells), width, terminal.paint.bold)
  return { heading, row: (call) => row(cells(call), 0) }
}

interface CallColumn extends Column {
  readonly of: (call: ListedCall) => string
  /** The width of a terminal from which on there is room for it. */
  readonly from?: number
}

function columnsOf(calls: readonly ListedCall[], { paint, textColumns }: Terminal, now: number): readonly CallColumn[] {
  const timeOf = textColumns() === Infinity ? (time: string) => time : (time: string) => clockText(time, now)
  return [
    { title: 'time', least: 8, paint: paint.dim, of: ({ ended }) => timeOf(ended) },
    { title: 'thread', flexible: true, least: 29, paint: paint.cyan, of: ({ thread }) => printableLine(thread) },
    { title: 'turn', right: true, of: ({ turn }) => (turn === null ? '–' : figure(turn)) },
    { title: 'model', from: 120, least: 10, paint: paint.dim, of: ({ model }) => printableLine(model ?? '–') },
    { title: 'sent', from: 60, least: 6, right: true, of: ({ sent }) => figure(sent) },
    { title: 'read', from: 80, least: 6, right: true, of: ({ read }) => (read === undefined ? '–' : figure(read)) },
    {
      title: 'reused',
      from: 100,
      right: true,
      of: ({ reused, sent }) => `${Math.round((100 * reused) / Math.max(1, sent))}%`,
    },
    { title: 'left out', from: 100, right: true, of: ({ omitted }) => figure(omitted) },
    { title: 'took', from: 60, least: 6, right: true, of: ({ total }) => secondsText(total) },
    { title: 'ended', least: 6, paint: (text) => (isBad(text) ? paint.red(text) : text), of: endText },
    ...(calls.some(({ owner = '' }) => owner !== '')
      ? [{ title: 'key', from: 160, paint: paint.dim, of: ({ owner = '' }: ListedCall) => printableLine(owner) }]
      : []),
    { title: 'title', from: 140, flexible: true, paint: paint.dim, of: ({ title }) => printableLine(title ?? '') },
  ]
}

/** How it ended, and what is special of it. That entries were left out has a column of its own. */
function endText(call: ListedCall): string {
  return [call.outcome, ...flagsOf(call).filter((flag) => flag !== 'omitted')].join(', ')
}

/** Whether the text of an end says that the call has no answer, or that the model did not see all of its prompt. */
function isBad(text: string): boolean {
  const [outcome = '', ...flags] = text.trim().split(', ')
  return (badOutcomes as ReadonlySet<string>).has(outcome) || flags.includes('cut')
}

/** When that was, in local time: today's calls by the clock, those of this year by day and clock, others by day. */
function clockText(time: string, now: number): string {
  const [then, today] = [new Date(time), new Date(now)]
  const day = `${twoDigits(then.getMonth() + 1)}-${twoDigits(then.getDate())}`
  const clock = `${twoDigits(then.getHours())}:${twoDigits(then.getMinutes())}`
  if (then.toDateString() === today.toDateString()) return `${clock}:${twoDigits(then.getSeconds())}`
  return then.getFullYear() === today.getFullYear() ? `${day} ${clock}` : `${then.getFullYear()}-${day}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
