// Which figures does README.md show? Those of the default policy and of the others at 8,192 tokens, from bench/results/retention.json.
import { retention, reuse, type Measurement } from '../measurement.ts'
import type { Results } from '../results.ts'
import { resultsOf, type RetentionData } from './retention-data.ts'

const window = 8192
const columns = [
  'sliding window',
  'LangChain trimMessages',
  'Mastra TokenLimiterProcessor',
  'default, recall gated',
] as const
const datasets = ['generated chatty', 'generated lengthy', 'generated tools'] as const
const labels: readonly (readonly [(measured: Measurement) => number, readonly string[]])[] = [
  [
    retention,
    ['share of needed old messages that were in the prompt in full: short messages', '… long messages', '… tool calls'],
  ],
  [reuse, ['prompt reused from the last turn (cache): short messages', '… long messages', '… tool calls']],
]
const heading =
  '| at a context window of 8,192 tokens | sliding window | LangChain `trimMessages` | Mastra `TokenLimiter` | **Minutebook** |\n|---|---:|---:|---:|---:|'

/** The README with the figures of this run. */
export function readmeWith(readme: string, data: RetentionData): string {
  const at = readme.indexOf(heading)
  if (at < 0) throw new Error(`README.md has no table that begins with "${heading.split('\n')[0]}".`)
  const end = readme.indexOf('\n\n', at)
  const versions = `@langchain/core ${data.versions['@langchain/core']} and @mastra/core ${data.versions['@mastra/core']}`
  const named = /@langchain\/core \d[\w.-]* and @mastra\/core \d[\w.-]*\w/
  if (!named.test(readme.slice(end))) throw new Error('README.md does not say which versions the table is of.')
  const rest = readme.slice(end).replace(named, versions)
  return `${readme.slice(0, at)}${heading}\n${rows(resultsOf(data)).join('\n')}${rest}`
}

function rows(results: Results): string[] {
  return labels.flatMap(([figure, names]) =>
    names.map((name, index) => {
      const cells = columns.map((row, column) => {
        const percent = `${Math.round(figure(results.get(row, datasets[index]!, window)))} %`
        return column === columns.length - 1 ? `**${percent}**` : percent
      })
      return `| ${[name, ...cells].join(' | ')} |`
    }),
  )
}
