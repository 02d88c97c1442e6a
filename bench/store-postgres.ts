import { parseArgs } from 'node:util'
import { openReport } from './evidence/report.ts'
import { showProgress } from './progress.ts'
import { diskTable } from './postgres/disk.ts'
import { nextTurnTable } from './postgres/next-turn.ts'
import { operations, titles, type Operation } from './postgres/operation.ts'
import { ourSide } from './postgres/ours.ts'
import { pgbenchSide } from './postgres/pgbench.ts'
import { race, raceTable } from './postgres/rounds.ts'
import { seed } from './postgres/seed.ts'
import { settings, startServer, type Server } from './postgres/server.ts'
import { ourParties, type SeededThreads } from './postgres/threads.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    folder: { type: 'string' },
    threads: { type: 'string' },
    clients: { type: 'string' },
    operations: { type: 'string' },
    rounds: { type: 'string' },
    patience: { type: 'string' },
  },
})

const threads: SeededThreads = { count: Number(options.threads ?? (options.quick ? 500 : 100_000)), entriesEach: 50 }
const clients = (options.clients ?? (options.quick ? '8' : '1,8,16,32')).split(',').map(Number)
const measured = operations.filter((operation) =>
  (options.operations ?? operations.join()).split(',').includes(operation),
)
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5))
const seconds = options.quick ? 1 : 2
const patience = Number(options.patience ?? (options.quick ? 0 : 20))

const report = openReport('store-postgres', 'npm run bench:store')
const server = await startServer(options.folder)
try {
  const grouped = (count: number): string => count.toLocaleString('en')
  report.say(
    `# What keeping in Postgres costs\n\nPostgres ${server.cluster.version}, durable, ${JSON.stringify(settings)}; ${grouped(threads.count)} threads, ${grouped(threads.count * threads.entriesEach)} entries; ${rounds} rounds of ${seconds} s after 1 s of warming up.`,
  )
  await measureRates(server)
  report.say(
    `## What an entry takes on disk, in bytes\n\n${await diskTable(await server.database('disk'), options.quick ? 10 : 100, options.quick ? 20 : 50)}`,
  )
  const turns = await server.database('turns')
  report.say(
    `## The next turn of a long thread\n\n${await nextTurnTable(turns, options.quick ? [100, 2_000] : [100, 1_000_000], options.quick ? 20 : 300)}`,
  )
  if (!options.quick) report.keep()
} finally {
  await server.cluster.stop()
}

async function measureRates(server: Server): Promise<void> {
  const { url, superuserUrl } = await server.database('rates')
  const seeding = showProgress(threads.entriesEach)
  await seed(superuserUrl, threads, seeding)
  seeding.done()
  const ours = ourParties.map((parties) => ourSide(server, url, threads, parties))
  const sides = [
    ours[0]!,
    pgbenchSide(server, url, threads, { pipelined: false }),
    ...(options.quick ? [] : [pgbenchSide(server, url, threads, { pipelined: true }), ours[1]!]),
  ]
  const progress = showProgress(measured.length * clients.length * rounds * sides.length)
  for (const operation of measured) {
    const races = await race({ sides, operation, clients, rounds, warmSeconds: 1, seconds, patience, progress })
    report.say(`## ${titles[operation satisfies Operation]}\n\n${raceTable(operation, sides, races)}`)
  }
  progress.done()
  for (const side of ours) side.stop()
}
