// An instance that runs experiments until it is ended: `experiment-worker.ts <database> <steps>`.
import { postgresTurns } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { openExperiments } from '@minutebook/experiment/run'
import { Pool } from 'pg'
import { crowded, thinker } from '../experiment/crowded.ts'

const [url = '', steps = ''] = process.argv.slice(2)
const turns = await postgresTurns(new Pool({ connectionString: url, pipeline: true, max: 14 }), {
  onError: (error) => console.log('error', String(error)),
})
const tenant = turns.tenant()
const book = openBook({ ...tenant, clock: systemClock, window: 8192 })
const experiments = openExperiments({
  ...tenant,
  book,
  clock: systemClock,
  experiment: () => crowded(Number(steps)),
  thread: () => ({ model: thinker, window: 8192 }),
})
await book.work({ ...experiments.work, onError: (thread, error) => console.log('error', thread, String(error)) })
console.log('ready')
