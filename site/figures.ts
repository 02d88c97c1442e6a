// Which three figures does the home page show? The first three of this list that a benchmark has recorded.
import { retention } from '../bench/measurement.ts'
import { recordedData, sectionOf, type RecordedReport } from '../bench/evidence/report.ts'
import type { ReliabilityData } from '../bench/evidence/reliability-data.ts'
import { resultsOf, type RetentionData } from '../bench/evidence/retention-data.ts'

export interface Figure {
  readonly value: string
  readonly says: string
  /** The page of the site that explains it, without an ending. */
  readonly page: string
}

/** What `npm run bench:conformance` leaves, as far as it is shown. */
interface ConformanceData {
  readonly contestants: readonly {
    readonly name: string
    readonly ours?: boolean
    readonly results: readonly { readonly held: boolean }[]
  }[]
}

export function homeFigures(): Figure[] {
  return [keptEvidence(), heldInvariants(), lostMessages(), costOfChat()].filter((figure) => figure !== undefined)
}

function keptEvidence(): Figure | undefined {
  const data = recordedData<RetentionData>('retention')
  if (data === undefined) return undefined
  const share = (row: string): string =>
    `${Math.round(retention(resultsOf(data).get(row, 'generated chatty', 8192)))} %`
  const says = `of the evidence for later questions is still in the prompt, at a context window of 8,192 tokens and with short messages. A sliding window keeps ${share('sliding window')}.`
  return { value: share('default, recall gated'), says, page: 'project/benchmarks' }
}

function heldInvariants(): Figure | undefined {
  const data = recordedData<ConformanceData>('conformance')
  if (data === undefined) return undefined
  const heldBy = ({ results }: ConformanceData['contestants'][number]): number =>
    results.filter(({ held }) => held).length
  const most = (isOurs: boolean): number =>
    Math.max(...data.contestants.filter(({ ours }) => (ours === true) === isOurs).map(heldBy))
  const all = data.contestants[0]?.results.length
  const says = `rules for a safe prompt hold, such as "a tool call keeps its result". Of ${data.contestants.filter(({ ours }) => ours !== true).length} other libraries and methods, the best one holds ${most(false)}.`
  return { value: `${most(true)} of ${all}`, says, page: 'comparison' }
}

function lostMessages(): Figure | undefined {
  const data = recordedData<ReliabilityData>('reliability')
  const runs = [data?.['kill-postgres'], data?.['consistency']].filter((run) => run !== undefined)
  if (runs.length === 0) return undefined
  const sum = (count: string): number => runs.reduce((total, { counts }) => total + (counts[count] ?? 0), 0)
  const says = `of ${sum('appends acknowledged').toLocaleString('en-US')} acknowledged messages lost or doubled, while Postgres was killed ${sum('kills')} times and connections were cut.`
  return { value: String(sum('lost, doubled or out of order')), says, page: 'project/reliability' }
}

function costOfChat(): Figure | undefined {
  const data = recordedData<RecordedReport>('cost')
  if (data === undefined) return undefined
  const [table] = sectionOf(data, 'What one turn takes').tables
  const column = table?.headings.indexOf('processor of the instance') ?? -1
  const value = table?.rows.find(([name]) => name === 'chats through the gateway, SQLite')?.[column]
  if (value === undefined)
    throw new Error('bench/results/cost.json has no processor time of a chat through the gateway.')
  return {
    value,
    says: 'of processor time for a chat through the gateway, with its record in SQLite.',
    page: 'project/benchmarks',
  }
}
