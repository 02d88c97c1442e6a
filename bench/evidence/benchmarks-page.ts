// What does docs/project/benchmarks.md say? One chapter for each data file in bench/results that there is.
import { answersTable, comparisons, setting } from '../answers/report.ts'
import type { AnswersData } from '../answers/data.ts'
import { percent, table } from '../markdown.ts'
import { retention, reuse } from '../measurement.ts'
import { provenanceLine } from './provenance.ts'
import { reportChapters, type ReportChapter } from './report-chapters.ts'
import { sectionOf, tableText, type RecordedReport } from './report.ts'
import { resultsOf, type RetentionData } from './retention-data.ts'

/** What there is in `bench/results`. */
export interface BenchmarkData {
  readonly retention?: RetentionData | undefined
  readonly answers?: AnswersData | undefined
  /** Reports by name. */
  readonly reports: Readonly<Record<string, RecordedReport | undefined>>
}

const opening = `# Benchmarks

What do prompts keep, do models answer better with them, and what does it cost? \`npm run evidence\` writes this page from the data that the benchmarks left in \`bench/results\`, and a test compares the two. [bench/README.md](../../bench/README.md) explains how each figure is measured. A benchmark without recorded data has no section here.

Read times as proportions: they come from one machine, and most of them are compared with another program in the same run.`

export function benchmarksPage(data: BenchmarkData): string {
  const chapters = reportChapters.flatMap((chapter) => reportChapter(chapter, data.reports[chapter.name]))
  return `${[opening, ...retentionChapter(data.retention), ...answersChapter(data.answers), ...chapters, closing].join('\n\n')}\n`
}

const closing = `## More

- [Who keeps which invariant](../comparison.md) of context management: other libraries and our policies, with the smallest failing inputs.
- [Scale](../scale.md): what a load needs, and what breaks first as you grow.
- [Reliability](reliability.md): what the fault tests counted.`

const window = 8192

function retentionChapter(data: RetentionData | undefined): string[] {
  if (data === undefined) return []
  const results = resultsOf(data)
  const asked = results.datasets.filter((dataset) =>
    results.rows.some((row) => results.get(row, dataset, window).questions > 0),
  )
  const rows = results.rows.map((row) => [
    row,
    ...asked.map((dataset) => percent(retention(results.get(row, dataset, window)))),
    ...asked.map((dataset) => percent(reuse(results.get(row, dataset, window)))),
  ])
  const short = asked.map((dataset) => dataset.replace('generated ', ''))
  const headings = ['row', ...short.map((name) => `kept, ${name}`), ...short.map((name) => `reused, ${name}`)]
  const versions = Object.entries(data.versions).map(([name, version]) => `${name} ${version}`)
  return [
    '## Retention and reuse',
    `How much of the evidence for later questions is word for word in the prompt (*kept*), and how much of each prompt repeats the one before, so that a prompt cache can reuse it (*reused*)? In per cent, at a context window of ${window.toLocaleString('en')} tokens, on generated conversations with short messages (chatty), long ones (lengthy) and tool calls. "Default, recall gated" is what you get without any option. The oracle knows the evidence: no row can keep more. Other libraries: ${versions.join(', ')}.`,
    table(headings, rows),
    '![Evidence kept against prompt reused, for each kind of conversation: up and to the right is better](frontier.svg)',
    provenanceLine(data, 'none; the same seeds make the same conversations and prompts on every machine.'),
  ]
}

function answersChapter(data: AnswersData | undefined): string[] {
  if (data === undefined) return []
  return [
    '## Right answers of a small model',
    `Evidence in a prompt is not an answer yet. ${setting(data)} Questions repeat the words of the fact, because a small model cannot do more. The line in italics is a bound: the best that this model can do, with nothing but the fact before it.`,
    answersTable(data),
    comparisons(data),
    `Try it with your own model server: \`npm run bench:answers -- --upstream http://127.0.0.1:11434 --model NAME --window 4096\`. [How it is measured](../../bench/README.md#right-answers-answersts), and [every question with all answers](../../bench/results/answers.json).`,
    provenanceLine(
      data,
      'at temperature 0 the same prompts bring the same answers on one machine; the interval says how far other questions may be from these. Questions about one conversation are not independent, so the true interval is somewhat wider.',
    ),
  ]
}

function reportChapter({ title, says, parts, variance }: ReportChapter, data: RecordedReport | undefined): string[] {
  if (data === undefined) return []
  const shown = parts.flatMap(({ section, notes, heading }) => {
    const found = sectionOf(data, section)
    return [
      ...(heading === undefined ? [] : [`### ${heading}`]),
      ...found.tables.map(tableText),
      ...(notes === true ? found.notes : []),
    ]
  })
  return [`## ${title}`, says, ...shown, provenanceLine(data, variance)]
}
