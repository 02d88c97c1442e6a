// Prints, as Markdown, what each chat template does with each probe: node probe-table.ts [tools]
import { outcomeOf, probes, probeTools } from './probes.ts'
import { chatTemplates } from './templates.ts'

const tools = process.argv.includes('tools') ? probeTools : undefined
const signs = { kept: '', moved: 'moved', lost: 'lost', refused: '**refused**' } as const

const rows = chatTemplates().map((template) => ({
  name: template.name,
  outcomes: probes.map((probe) => outcomeOf(probe, (messages) => template.render(messages, tools))),
}))

printTable(['probe', 'kept', 'moved', 'lost', 'refused'], countsByProbe())
console.log()
printTable(
  ['template', ...probes.map(({ name }) => name)],
  rows.map(({ name, outcomes }) => [name, ...outcomes.map((outcome) => signs[outcome])]),
)

function countsByProbe(): string[][] {
  return probes.map(({ name }, index) => {
    const count = (wanted: string): string => String(rows.filter(({ outcomes }) => outcomes[index] === wanted).length)
    return [name, count('kept'), count('moved'), count('lost'), count('refused')]
  })
}

function printTable(header: readonly string[], body: readonly (readonly string[])[]): void {
  for (const cells of [header, header.map(() => '---'), ...body]) console.log(`| ${cells.join(' | ')} |`)
}
