import { isEntry, type Entry } from '../log/entry.ts'
import { wellFormed } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, readMessage, type Message } from '../log/message.ts'
import { erasedNumbers } from '../log/numbers.ts'
import { gist, quoted } from './framing.ts'
import type { OutlineLine } from './outline.ts'
import type { Tier } from './parts.ts'
import type { CompileResult, Plan, Span } from './compile.ts'
import { isTold, isWhole, whyOf } from './verdict.ts'
import { totalTokens } from './cost.ts'
import { attachedCounts, attachmentName } from '../log/attachment.ts'

/**
 * Draws a plan as a table for people: a bar that shows the window by tier, then a row for each exchange with its
 * verdict and the reason, then a line for each digester. If there are more than `rows` rows, older neighbours with the
 * same verdict share a row. No line is wider than `width`.
 *
 * @example
 * console.log(explain(compile(messages, { window: 4096 })))
 */
export function explain(
  explained: Plan | { readonly plan: Plan },
  options: { readonly rows?: number; readonly width?: number } = {},
): string {
  const plan = 'plan' in explained ? explained.plan : explained
  const { rows = 40, width = 80 } = options
  const lines = [...summary(plan), '', ...budgetBar(plan, width - 2), '', ...table(plan, rows), ...digesterLines(plan)]
  return lines.map((line) => (line.length > width ? `${wellFormed(line.slice(0, width - 1))}…` : line)).join('\n')
}

/** The tiers with the letter and the name that a bar shows: the same names as in the command and in the console. */
const tiers: readonly (readonly [tier: Tier | 'tools' | 'overhead', letter: string, name?: string])[] = [
  ['overhead', '+'],
  ['tools', 'T'],
  ['system', 'S'],
  ['notes', 'N'],
  ['pinned', 'P'],
  ['outline', 'O'],
  ['marker', 'M'],
  ['verbatim', 'V'],
  ['recall', 'R', 'recalled'],
  ['current', 'L', 'latest'],
]

function summary({ tokens, window, reserve, policy, counter, epoch, entries, exchanges, overflow }: Plan): string[] {
  const over = tokens > window - reserve
  const kept = overflow > 0 ? `, ${number(overflow)} over the budget (kept as the policy says)` : ''
  return [
    `${number(tokens)} of ${number(window)} tokens${kept}` +
      ` · ${plural(entries, 'entry', 'entries')} in ${plural(exchanges, 'exchange', 'exchanges')} · ${plural(epoch.number, 'compaction', 'compactions')}`,
    `policy ${policy} · counter ${counter}${over && overflow === 0 ? ' · the reserve is used: everything fits whole' : ''}`,
  ]
}

function budgetBar(plan: Plan, width: number): string[] {
  const scale = width / Math.max(1, plan.window, plan.tokens)
  const shares = tiers
    .map(([tier, letter, name = tier]) => ({ name, letter, tokens: tierTokens(plan, tier) }))
    .filter(({ tokens }) => tokens > 0)
  let reached = 0
  let bar = ''
  for (const [index, { letter, tokens }] of shares.entries()) {
    reached += tokens
    const end = Math.min(Math.round(reached * scale), width - (shares.length - 1 - index))
    bar += letter.repeat(Math.max(1, end - bar.length))
  }
  const free = Math.max(0, plan.window - plan.tokens)
  const reserve = Math.min(plan.reserve, free)
  const legend = [
    ...shares.map(({ name, letter, tokens }) => `${letter} ${name} ${number(tokens)}`),
    `· free ${number(free - reserve)}`,
    `- reserve ${number(reserve)}`,
  ]
  const kept = Math.min(width - bar.length, Math.round(reserve * scale))
  return [`▕${bar.padEnd(width - kept, '·')}${'-'.repeat(kept)}▏`, ...wrap(legend, width + 2)]
}

function tierTokens(plan: Plan, tier: Tier | 'tools' | 'overhead'): number {
  if (tier === 'tools' || tier === 'overhead') return plan[tier]
  return totalTokens(plan.parts.filter((part) => part.tier === tier))
}

function table(plan: Plan, limit: number): string[] {
  const numbered = plan.spans.some(({ numbers }) => numbers) ? plan.spans : withNumbers(plan.spans)
  const cells = planRows(numbered, limit, Math.min(newestRows, limit)).map((span) => [
    range(span.exchange + 1, span.last + 1),
    messagesText(span.numbers),
    span.verdict,
    span.tokens === 0 ? '–' : number(span.tokens),
    `${span.why}${span.title && span.exchange === span.last ? ` · ${gist(span.title, 40)}` : ''}`,
  ])
  const blocks = plan.parts
    .filter((part) => part.shape === 'digest' || part.shape === 'marker')
    .map((part) => [
      '',
      '',
      part.shape === 'marker' ? 'marker' : 'digest',
      number(part.tokens),
      part.shape === 'digest' ? plural(part.lines.length, 'line', 'lines') : part.text,
    ])
  const all = [['exchange', 'entries', 'verdict', 'tokens', 'why'], ...cells, ...blocks]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => (column === 3 ? cell.padStart(widths[3]!) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** What each digester did for the lines of this prompt: nothing, or how many it wrote and how many of them are cut. */
function digesterLines({ digesters, parts, spans }: Plan): string[] {
  const lines = parts.flatMap((part) => (part.shape === 'digest' ? part.lines.filter(({ own }) => own) : []))
  const isAllSent = spans.every(({ verdict }) => isWhole(verdict))
  if (digesters.length === 0 || (lines.length === 0 && isAllSent)) return []
  return ['', ...digesters.map((id) => digesterLine(id, lines))]
}

function digesterLine(id: string, lines: readonly OutlineLine[]): string {
  const own = lines.flatMap(({ tokens, typed }) => (typed?.by.includes(id) ? [{ tokens, ...typed }] : []))
  if (own.length === 0) return `${id} was used 0 times`
  const cut = own.filter(({ tokens, uncut }) => tokens < uncut)
  if (cut.length === 0) return `${id}: ${plural(own.length, 'digest', 'digests')}`
  const tooLong = cut.filter(({ longest, uncut }) => longest < uncut).map(({ uncut }) => uncut)
  const fix = tooLong.length > 0 ? `raise line to ${number(Math.max(...tooLong))}` : 'there is no room for more'
  return `${id}: ${plural(own.length, 'digest', 'digests')}, ${number(cut.length)} cut: ${fix}`
}

/**
 * The rows of a table, each with the reason for its verdict in words. If there are more spans than `limit`, neighbours
 * that have the same verdict and reason share a row, except the `newest` (Default: 10).
 *
 * @example
 * planRows(plan.spans, 40).map(({ verdict, why }) => `${verdict}: ${why}`)
 */
export function planRows(
  spans: readonly Span[],
  limit: number,
  newest: number = newestRows,
): readonly (Span & { readonly why: string })[] {
  const merged = spans.length <= limit ? spans : mergeSpans(spans, newest)
  return merged.map((span) => ({ ...span, why: whyOf(span) }))
}

function mergeSpans(spans: readonly Span[], newest: number): readonly Span[] {
  const rows: Span[] = []
  for (const [index, span] of spans.entries()) {
    const last = rows.at(-1)
    const alike = last && last.verdict === span.verdict && last.reason === span.reason
    if (!alike || index >= spans.length - newest) rows.push(span)
    else
      rows[rows.length - 1] = {
        ...last,
        to: span.to,
        last: span.last,
        tokens: last.tokens + span.tokens,
        notes: last.notes + span.notes,
        ...joinedNumbers(last, span),
      }
  }
  return rows
}

/**
 * The spans of a plan, all of them and in order, with the numbers of their first and of their last message. `branch`: if
 * it may have erased messages: these are in no plan, but its messages count on.
 */
export function withNumbers(spans: readonly Span[], branch: readonly Entry[] = []): readonly Span[] {
  const erased = erasedNumbers(branch)
  let next = 0
  let passed = 0
  const numberOf = (place: number): number => {
    while (passed < erased.length && erased[passed]! <= place + passed) passed++
    return place + passed
  }
  return spans.map((span) => {
    const count = span.to - span.from - span.notes
    if (count === 0) return span
    next += count
    return { ...span, numbers: [numberOf(next - count), numberOf(next - 1)] }
  })
}

const newestRows = 10

function joinedNumbers({ numbers: before }: Span, { numbers }: Span): Pick<Span, 'numbers'> {
  if (!before || !numbers) return { numbers: before ?? numbers }
  return { numbers: [before[0], numbers[1]] }
}

/** The numbers of exchanges, counted from 1. */
function range(from: number, to: number): string {
  if (to < 1) return '–'
  return from >= to ? number(to) : `${number(Math.max(from, 1))}–${number(to)}`
}

function messagesText(numbers: readonly [first: number, last: number] | undefined): string {
  if (!numbers) return '–'
  const [first, last] = numbers
  return first === last ? `#${number(last)}` : `#${number(first)}–#${number(last)}`
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 4 > width) lines.push(word)
    else lines[lines.length - 1] = `${last}   ${word}`
  }
  return lines.map((line) => ` ${line}`)
}

function plural(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`
}

function number(value: number): string {
  const digits = String(Math.round(value))
  let grouped = ''
  for (let end = digits.length; end > 0; end -= 3)
    grouped = digits.slice(Math.max(0, end - 3), end) + (grouped && `,${grouped}`)
  return grouped
}

/**
 * Yields the verdict of every entry, one by one. `entries`: the entries that the plan was made of. They tell which of
 * them are notes.
 *
 * @example
 * const kept = [...verdicts(plan, entries)].filter(({ verdict }) => verdict === 'verbatim')
 */
export function* verdicts(plan: Plan, entries: readonly (Message | Entry)[]): Generator<EntryVerdict> {
  for (const span of plan.spans)
    for (let index = span.from; index < span.to; index++) yield verdictIn(span, entries[index], index)
}

/** What happened to one entry of a plan. */
type EntryVerdict = Omit<Span, 'from' | 'to' | 'notes'> & { readonly index: number }

function verdictIn(of: Span, entry: Message | Entry | undefined, index: number): EntryVerdict {
  const { from: _from, to: _to, notes, ...span } = of
  const isUntold =
    notes > 0 && isTold(span.verdict) && entry !== undefined && isEntry(entry) && !traits[entry.kind].chained
  return isUntold
    ? { index, ...span, verdict: 'omitted', tier: null, reason: 'no line speaks of notes' }
    : { index, ...span }
}

/**
 * Returns the exact prompt as text for people: one labelled block for each piece of each message. Characters that would
 * hide or move text are written as escapes.
 *
 * @example
 * console.log(dump(compile(messages, { window: 4096 })))
 */
export function dump<M extends Message>(compiled: CompileResult<M>): string {
  return compiled.messages.map((message, index) => block(message, compiled.pieces[index] ?? [])).join('\n\n')
}

/** Labels of text that Minutebook inserts. A dump shows them with the role under which they are sent. */
const inserted: ReadonlySet<string> = new Set(['OUTLINE', 'MARKER', 'RECALL', 'PINNED'])

function block(message: Message, pieces: readonly { readonly label: string; readonly text: string }[]): string {
  const { calls, images, attachments, reasoning, sealed, kind } = readMessage(message)
  const parts = pieces.length ? pieces : [{ label: kind.toUpperCase(), text: '' }]
  const extra = [
    ...(reasoning ? [`(reasoning) ${escaped(reasoning)}`] : []),
    ...(sealed > 0 && !reasoning ? ['(reasoning, sealed)'] : []),
    ...calls.map((call) => `→ ${escaped(call.name)}(${escaped(argumentsText(call))})`),
    ...(images.length ? [`(${attachedCounts({ images, attachments: [] })})`] : []),
    ...attachments.flatMap((each) => [attachmentName(each), ...(each.text ? [quoted(escaped(each.text))] : [])]),
  ]
  return parts
    .map(({ label, text }, index) =>
      [
        `--- ${label}${inserted.has(label) ? ` (${message.role})` : ''} ---`,
        escaped(text),
        ...(index === parts.length - 1 ? extra : []),
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n')
}

/**
 * Writes control, format and bidirectional characters and lone surrogates as `\u{…}`. A line that looks like a label, a
 * call or an attachment of the dump gets a backslash in front.
 */
export function escaped(text: string): string {
  let shown = ''
  for (const character of text)
    shown += isHidden(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character
  return shown
    .split('\n')
    .map((line) => (/^(?:--- |→ |\(reasoning\) |\([\w, ./+-]{1,200}\)$)/.test(line) ? `\\${line}` : line))
    .join('\n')
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x0a || code === 0x09) return false
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  return code >= 0xad && /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u.test(character)
}
