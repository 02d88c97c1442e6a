import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cacheConversation } from './cache-conversation.ts'
import type { Conversation } from './conversation.ts'
import { readConversations } from './conversation.ts'
import { provenanceOf } from './evidence/provenance.ts'
import { cellsOf, type RetentionData } from './evidence/retention-data.ts'
import { drawFrontier, frontier, frontierTable } from './frontier.ts'
import { measure } from './measurement.ts'
import { installPeers, peerVersions } from './peers.ts'
import { langchainStrategy } from './peers/langchain.ts'
import { mastraStrategy } from './peers/mastra.ts'
import { showProgress } from './progress.ts'
import { brokenPromises, pinsHonoured, writeReport } from './report.ts'
import type { Results } from './results.ts'
import { collectResults } from './results.ts'
import type { Strategy } from './strategy.ts'
import { minutebookStrategies } from './strategies/minutebook.ts'
import { oracle, sliding } from './strategies/sliding.ts'
import { generate, styles } from './synthetic.ts'
import { targets } from './targets.ts'
import { o200k } from './tokens.ts'
import { warmFaults } from './warm-check.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    peers: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    reserve: { type: 'string' },
    rows: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('./results', import.meta.url)) },
  },
})

const budgets = [
  { window: 2048, reserve: 256 },
  { window: 4096, reserve: 512 },
  { window: 8192, reserve: 512 },
].map(({ window, reserve }) => ({ window, reserve: options.reserve === undefined ? reserve : Number(options.reserve) }))

const strategies = await chooseStrategies()
const conversations = chooseConversations()
const results = await run(strategies, conversations)
const broken = [...brokenPromises(results, strategies), ...(options.quick ? checkFolds(conversations) : [])]
const report = [
  '# Retention and reuse',
  `Per cent, o200k, ${o200k.overhead} tokens a message; reserve ${budgets.map(({ reserve }) => reserve).join(' / ')}.`,
  writeReport(results, strategies, targets),
  frontierTable(frontier(results)),
  [pinsHonoured(results, strategies), ...broken.map((line) => `BROKEN ${line}`)].join('\n'),
].join('\n\n')
console.log(report)
if (broken.length > 0) process.exitCode = 1
if (!options.quick) saveResults(report)

async function chooseStrategies(): Promise<Strategy[]> {
  if (options.peers) installPeers()
  const peers = options.peers ? [await langchainStrategy(o200k), await mastraStrategy()] : []
  const all = [...minutebookStrategies, sliding, ...peers, oracle]
  const wanted = options.rows?.split(';').map((row) => row.trim())
  return wanted === undefined ? all : all.filter(({ name }) => wanted.some((part) => name.includes(part)))
}

function chooseConversations(): Conversation[] {
  if (options.quick) return styles.map((style) => generate(style, 1, style === 'chatty' ? 100 : 50))
  const generated = styles.flatMap((style) =>
    [1, 2, 3, 4].map((seed) => generate(style, seed, style === 'chatty' ? 300 : 150)),
  )
  return [...(options.data === undefined ? [] : readConversations(options.data)), ...generated, cacheConversation()]
}

async function run(rows: readonly Strategy[], played: readonly Conversation[]): Promise<Results> {
  const datasets = [...new Set(played.map(({ dataset }) => dataset))]
  const collected = collectResults(
    rows.map(({ name }) => name),
    datasets,
    budgets.map(({ window }) => window),
  )
  const progress = showProgress(played.length * rows.length * budgets.length)
  for (const conversation of played) {
    for (const { text } of conversation.messages) o200k.remember(text)
    for (const { text } of conversation.questions) o200k.remember(text)
    for (const row of rows) {
      for (const budget of budgets) {
        collected.record(
          row.name,
          conversation.dataset,
          budget.window,
          await measure(row, conversation, budget, options.quick),
        )
        progress.step(`${conversation.dataset} ${conversation.id}: ${row.name}`)
      }
    }
  }
  progress.done()
  return collected
}

function checkFolds(played: readonly Conversation[]): string[] {
  return played.flatMap((conversation) => budgets.flatMap((budget) => warmFaults(conversation, budget)))
}

function saveResults(text: string): void {
  mkdirSync(options.out, { recursive: true })
  writeFileSync(join(options.out, 'retention.md'), `${text}\n`)
  const data: RetentionData = {
    ...provenanceOf('npm run bench:retention'),
    versions: options.peers ? peerVersions(['@langchain/core', '@mastra/core']) : {},
    budgets,
    cells: cellsOf(results),
  }
  writeFileSync(join(options.out, 'retention.json'), `${JSON.stringify(data, null, 1)}\n`)
  try {
    writeFileSync(join(options.out, 'frontier.svg'), drawFrontier(frontier(results)))
  } catch (thrown) {
    console.error('The frontier could not be drawn.', thrown)
  }
}
