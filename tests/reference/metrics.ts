// The page of all metrics, from where they are made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { root } from '../support/workshop.ts'
import { code, page, table } from './markdown.ts'
import { nodesIn, type Node } from './syntax.ts'
import { textsOf } from './texts.ts'

interface Metric {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
}

export function metricsPage(): string {
  const remarks = textsOf<Readonly<Record<string, string>>>('metrics')
  const metrics = metricsInSources()
  const left = Object.keys(remarks).filter((name) => !metrics.some((metric) => metric.name === name))
  if (left.length > 0) throw new Error(`docs/reference/texts/metrics.yaml: there is no metric ${left.join(', ')}.`)
  const rows = metrics.map(({ name, type, help, labels }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
    remarks[name] ?? '',
  ])
  return page('Metrics', introduction, [table(['name', 'type', 'labels', 'what', 'what to do'], rows)])
}

const introduction =
  'What `/metrics` returns, in the text format of Prometheus. If there are keys, it needs one that is not only for chats. Each instance counts only its own work, so scrape each. Labels are few and fixed: no thread, model, key or tenant is in them. See [metrics, logs and traces](../operation.md#metrics-logs-and-traces).'

const types: Readonly<Record<string, string>> = {
  createCounter: 'counter',
  createHistogram: 'histogram',
  createGauge: 'gauge',
}

/** Every call that makes a metric, in order. */
export function metricsInSources(): Metric[] {
  const text = readFileSync(join(root, 'packages/server/src/telemetry/metrics.ts'), 'utf8')
  return [...nodesIn(parseAst(text, { lang: 'ts' }))].flatMap(({ type, callee, arguments: given = [] }) => {
    const made = types[callee?.name ?? '']
    if (type !== 'CallExpression' || made === undefined) return []
    const [name, help, labels] = given
    return [{ name: String(name?.value), type: made, help: String(help?.value), labels: labelsOf(labels) }]
  })
}

function labelsOf(node: Node | undefined): string[] {
  if (node?.type === 'Literal') return [String(node.value)]
  return (node?.elements ?? []).map(({ value }) => String(value))
}
