// Which files show figures that benchmarks wrote? Each with the text that the data in bench/results makes of it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AnswersData } from '../answers/data.ts'
import { drawFrontier, frontier } from '../frontier.ts'
import { benchmarksPage, type BenchmarkData } from './benchmarks-page.ts'
import { readmeWith } from './readme-table.ts'
import type { ReliabilityData } from './reliability-data.ts'
import { reliabilityPage } from './reliability-page.ts'
import { reportChapters } from './report-chapters.ts'
import { recordedData, type RecordedReport } from './report.ts'
import { resultsOf, type RetentionData } from './retention-data.ts'

export interface EvidenceFile {
  /** Below the root of the repository. */
  readonly file: string
  readonly text: string
}

/** All data that the benchmarks left. */
export interface Evidence {
  readonly benchmarks: BenchmarkData
  readonly reliability: ReliabilityData
}

function recordedEvidence(): Evidence {
  const reports = reportChapters.map(({ name }) => [name, recordedData<RecordedReport>(name)] as const)
  return {
    benchmarks: {
      retention: recordedData<RetentionData>('retention'),
      answers: recordedData<AnswersData>('answers'),
      reports: Object.fromEntries(reports),
    },
    reliability: recordedData<ReliabilityData>('reliability') ?? {},
  }
}

export function evidenceFiles({ benchmarks, reliability }: Evidence = recordedEvidence()): EvidenceFile[] {
  const { retention } = benchmarks
  const failover = read('tests/endurance/postgres/failover/README.md')
  return [
    { file: 'docs/project/benchmarks.md', text: benchmarksPage(benchmarks) },
    { file: 'docs/project/reliability.md', text: reliabilityPage(reliability, failover) },
    ...(retention === undefined
      ? []
      : [
          { file: 'docs/project/frontier.svg', text: drawFrontier(frontier(resultsOf(retention))) },
          { file: 'README.md', text: readmeWith(read('README.md'), retention) },
        ]),
  ]
}

export function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url))
}

function read(file: string): string {
  return readFileSync(pathOf(file), 'utf8')
}
