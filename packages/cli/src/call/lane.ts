import { printableLine, type EntryLane, type ShownEntry } from '@minutebook/server'
import { laneSummary, restorationText, verdictText, withoutText, type Restoration } from '@minutebook/inspect'
import { entryLines, margin } from '../thread/thread.ts'
import { table } from '../terminal/table.ts'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { figure, shellWord, wrapped } from '../terminal/text.ts'
import { verdictLook } from './palette.ts'

/** A message, and what happened to it in all model calls after it. */
export interface MessageLane {
  readonly message: ShownEntry
  readonly lane: EntryLane
}

/** Did the model have it? A letter for each call, why a call was answered without the message, and what would have kept it. */
export function laneLines({ message, lane }: MessageLane, terminal: Terminal): string[] {
  const { paint, columns } = terminal
  const { calls, without, earlier, number, turn, pinned } = lane
  const call = calls.find(({ receipt }) => receipt === without?.receipt)
  const facts = [
    `#${number ?? '–'}`,
    message.kind,
    ...(turn > 0 ? [`turn ${turn}`] : []),
    ...(pinned ? ['pinned'] : []),
  ]
  return [
    paint.dim(facts.join(' · ')),
    ...entryLines(message, Math.max(24, columns() - margin), paint, false).slice(0, mostLines),
    '',
    ...(calls.length === 0
      ? ['No model call came after this message yet.']
      : [...boxLines(lane, terminal), ...summaryLines(lane, terminal)]),
    ...(earlier > 0
      ? [paint.dim(`the newest ${figure(calls.length)} calls; ${figure(earlier)} before them are left out`)]
      : []),
    ...(calls.length > 0 && !call ? ['✓ every call since then had it, or a part of it'] : []),
    ...(call
      ? [
          '',
          paint.red(`✗ turn ${call.turn} was answered without it`),
          ...wrapped(
            withoutText(call) +
              (call.since !== undefined && call.since < call.turn ? ` No prompt had it since turn ${call.since}.` : ''),
            columns(),
          ),
          ...keptLines(lane, without?.restorations ?? [], terminal),
        ]
      : []),
  ]
}

/** Lines of a message that are shown. */
const mostLines = 6

/** One letter for each call, as many on a line as fit, after the turn of the first. */
function boxLines({ calls }: EntryLane, { paint, columns, output }: Terminal): string[] {
  const label = `turn ${figure(calls.at(-1)?.turn ?? 0)} `.length
  const each = output.isTTY === true ? Math.max(8, columns() - label) : Math.max(1, calls.length)
  return Array.from({ length: Math.ceil(calls.length / each) }, (_, line) => {
    const some = calls.slice(line * each, (line + 1) * each)
    return (
      paint.dim(`turn ${figure(some[0]!.turn)} `.padEnd(label)) +
      some.map(({ verdict }) => box(verdict, paint)).join('')
    )
  })
}

function box(verdict: EntryLane['calls'][number]['verdict'], paint: Paint): string {
  const { letter, colour } = verdictLook(verdict)
  return paint[colour](letter)
}

function summaryLines({ calls }: EntryLane, { columns }: Terminal): string[] {
  const parts = laneSummary(calls).map(
    ({ verdict, turns }) => `${verdictLook(verdict).letter} ${verdictText(verdict)}: ${turns}`,
  )
  return wrapped(parts.join(' · '), columns())
}

/** What would have kept it, at what price, and with which command. */
function keptLines(lane: EntryLane, restorations: readonly Restoration[], terminal: Terminal): string[] {
  const shown = restorations.filter(({ by }) => by !== 'pin' || !lane.pinned)
  if (lane.pinned) return ['', 'It is pinned now: every later prompt has it.']
  if (shown.length === 0) return []
  const rows = shown.map((restoration) => [
    restorationText(restoration),
    priceOf(restoration),
    commandOf(lane, restoration, terminal),
  ])
  const columns = [
    { title: 'what would have kept it' },
    { title: 'tokens', right: true },
    { title: 'how', flexible: true },
  ]
  return ['', ...table(columns, rows, terminal.textColumns(), terminal.paint.bold)]
}

function priceOf({ tokens, by }: Restoration): string {
  return `${tokens < 0 ? '−' : '+'}${figure(Math.abs(tokens))}${by === 'pin' ? ' each' : ''}`
}

function commandOf({ thread, entry }: EntryLane, { by, changes }: Restoration, { command }: Terminal): string {
  const named = shellWord(printableLine(thread))
  if (by === 'pin') return command(`pin ${named} ${entry.slice(0, 12)}`)
  if (changes?.window !== undefined) return command(`replay ${named} --window ${changes.window}`)
  return by === 'system' ? 'the app sends it there' : 'a policy with these shares; try it in the lab of the console'
}
