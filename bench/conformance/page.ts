// How does docs/comparison.md show what was found? As a table, and below it the smallest input of each failure.
import type { ConformanceResult } from '@minutebook/conformance'
import type { WireMessage } from '../wire-message.ts'
import type { Contestant } from './contestants.ts'

/** What `npm run bench:conformance` writes. */
export interface ConformanceData {
  readonly date: string
  readonly commit: string
  readonly node: string
  /** Conversations for each invariant. */
  readonly runs: number
  readonly seed: number
  readonly contestants: readonly ComparedContestant[]
}

export interface ComparedContestant extends Pick<Contestant, 'name' | 'version' | 'call' | 'unclaimed' | 'ours'> {
  readonly results: readonly ConformanceResult[]
}

const begin = '<!-- begin: written by npm run bench:conformance -->'
const end = '<!-- end -->'

/** The page with all that a run wrote. */
export function pageWith(page: string, data: ConformanceData): string {
  const [before, rest] = cut(page, begin)
  const [, after] = cut(rest, end)
  return `${before}${begin}\n${sections(data)}\n${end}${after}`
}

function cut(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`docs/comparison.md has no line "${mark}".`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

/** The failures of our own rows in what they promise. */
export function brokenPromises({ contestants }: ConformanceData): string[] {
  return contestants
    .filter(({ ours }) => ours)
    .flatMap(({ name, unclaimed, results }) =>
      results.filter(({ id, held }) => !held && unclaimed[id] === undefined).map(({ id }) => `${name}: ${id}`),
    )
}

function sections(data: ConformanceData): string {
  return [
    `${data.runs} conversations for each invariant (a tenth for \`reused\`), seed ${data.seed}. Commit ${data.commit.slice(0, 10)}, ${data.date}, Node ${data.node}.`,
    table(data),
    '✓ held in all of them. ✗ fails, with a link to the smallest input. *no* fails too, but is not promised, with a link to the reason and the input.',
    '## How each was called',
    calls(data),
    '## What each invariant says',
    invariantTable(data),
    '## The smallest failing inputs',
    ...data.contestants.flatMap((each) => failures(each)),
  ].join('\n\n')
}

function table({ contestants }: ConformanceData): string {
  const [first] = contestants
  const rows = (first?.results ?? []).map(({ id }, row) => [
    `\`${id}\``,
    ...contestants.map((each) => cell(each, each.results[row]!)),
  ])
  return [
    line(['invariant', ...contestants.map(({ name }) => name)]),
    line(['---', ...contestants.map(() => ':-:')]),
    ...rows.map(line),
    line(['**held**', ...contestants.map(({ results }) => `**${results.filter(({ held }) => held).length}**`)]),
  ].join('\n')
}

function cell(contestant: ComparedContestant, { id, held }: ConformanceResult): string {
  if (held) return '✓'
  return `[${contestant.unclaimed[id] === undefined ? '✗' : '*no*'}](#${anchor(titleOf(contestant, id))})`
}

function calls({ contestants }: ConformanceData): string {
  return [line(['row', 'version', 'call']), line(['---', '---', '---'])]
    .concat(contestants.map(({ name, version, call }) => line([name, version, call])))
    .join('\n')
}

function invariantTable({ contestants }: ConformanceData): string {
  return [line(['invariant', 'says', 'because of']), line(['---', '---', '---'])]
    .concat(
      (contestants[0]?.results ?? []).map(({ id, says, reason }) =>
        line([
          `\`${id}\``,
          says,
          `[${reason.replace(/^https:\/\/github.com\/|(?:issues|pull)\//g, '').replace(/\/(?=\d+$)/, '#')}](${reason})`,
        ]),
      ),
    )
    .join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function failures(contestant: ComparedContestant): string[] {
  return contestant.results.flatMap((result) => {
    const { id, failure } = result
    if (!failure) return []
    const { problem, window, tokens, messages, prompt } = failure
    const reason = contestant.unclaimed[id]
    return [
      `### ${titleOf(contestant, id)}`,
      [...(reason === undefined ? [] : [`Not promised: ${reason}`]), problem].join(' '),
      [
        '```text',
        `window ${window}, conversation ${Math.round(tokens)} tokens:`,
        ...shown(messages as readonly WireMessage[]),
        ...(prompt ? ['prompt:', ...shown(prompt as readonly WireMessage[])] : []),
        '```',
      ].join('\n'),
    ]
  })
}

function titleOf({ name }: Pick<Contestant, 'name'>, id: string): string {
  return `${name}: ${id}`
}

/** As GitHub makes it of a heading. */
export function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** At most so many messages at the beginning and at the end of a list. */
const mostShown = 6

function shown(messages: readonly WireMessage[]): string[] {
  if (messages.length === 0) return ['  (none)']
  if (messages.length <= 2 * mostShown) return messages.map(messageLine)
  const between = messages.length - 2 * mostShown
  return [
    ...messages.slice(0, mostShown).map(messageLine),
    `  … ${between} more`,
    ...messages.slice(-mostShown).map(messageLine),
  ]
}

function messageLine({ role, content, tool_calls: called, tool_call_id: id }: WireMessage): string {
  const text = content === null ? [] : [JSON.stringify(shortened(content))]
  const made = (called ?? []).map((call) => `${call.function.name}(${call.function.arguments}) as ${call.id}`)
  return `  ${[`${role}${id === undefined ? '' : ` ${id}`}:`, ...text, ...made].join(' ')}`
}

function shortened(text: string): string {
  const words = text.split(' ')
  return words.length <= 12 ? text : `${words.slice(0, 4).join(' ')} … ${words.at(-1)} (${words.length} words)`
}
