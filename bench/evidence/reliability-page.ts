// What does docs/project/reliability.md say? What the fault tests counted, from bench/results/reliability.json and the notes of the failover.
import { table } from '../markdown.ts'
import { provenanceLine } from './provenance.ts'
import { faultTests, type ReliabilityData } from './reliability-data.ts'

const opening = `# Reliability: kills, failover, lost and doubled messages

What happens to a conversation if a process, a server or a database dies in the middle of it? This page shows what the fault tests of this repository counted. They use \`kill -9\`, real Postgres servers and real processes, and compare at the end what clients saw with what is recorded.

All of them run in \`npm test\` in a short form. \`npm run bench:reliability\` runs them for longer and writes what they counted into this page; a test that fails leaves no figures. A long run of each: \`npm run test:crash\`, \`npm run test:team\`, \`npm run test:kill\`, \`npm run test:kill-postgres\`, \`npm run test:consistency\`.`

const variance =
  'the moments of the kills are random, so counts differ from run to run; times depend on how busy the machine is.'

const closing = `## What these tests do not show

One machine has one clock, one disk and no network that can be cut. Neither a power cut nor a split network is tried, nor the loss of two database nodes at once. What an acknowledged write survives also depends on Postgres: with \`synchronous_commit=off\` acknowledged messages can be lost, as the last line of each failover table shows.`

/** `failover`: the README next to the failover script, which has the tables of its runs. */
export function reliabilityPage(data: ReliabilityData, failover: string): string {
  const sections = Object.entries(faultTests).flatMap(([name, { title, says }]) => {
    const run = data[name]
    if (run === undefined) return []
    const counts = Object.entries(run.counts)
    const figures = table(
      counts.map(([heading]) => heading),
      [counts.map(([, count]) => count.toLocaleString('en'))],
    )
    return [`## ${title}`, says, figures, provenanceLine(run, variance)]
  })
  return `${[opening, ...sections, ...failoverSection(failover), closing].join('\n\n')}\n`
}

/** Each of its two tables, with the line above that says when and where. */
function failoverSection(readme: string): string[] {
  const part = (title: string): string[] => {
    const section = new RegExp(`^## ${title}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(readme)?.[1]
    const [measured = '', figures = ''] = (section ?? '').trim().split('\n\n')
    if (!figures.startsWith('|')) throw new Error(`The failover's README has no table below "${title}".`)
    return [measured, figures]
  }
  return [
    '## The primary of a Postgres cluster dies',
    'Three nodes, each of etcd, Patroni and Postgres 15 with synchronous replication, behind haproxy. The primary is killed while it is written to and while turns run on it; a replica becomes the new primary. `npm run test:failover` does this, by hand and not in CI. [How it works, and what each setting means](../../tests/endurance/postgres/failover/README.md).',
    'Entries that were written through the failover:',
    ...part('What it showed of appends'),
    'Turns that ran through the failover:',
    ...part('What it showed of turns'),
    'The last line of each table is a control: commits that wait for no replica lose entries, and the checks find it.',
  ]
}
