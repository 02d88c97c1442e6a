// An instance that runs experiments, and dies where its plan says: `experiment-instance.ts <database> <folder>`.
import { postgresTurns } from '@minutebook/postgres'
import { Pool } from 'pg'
import { live } from '../experiment/doomed-instance.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const turns = await postgresTurns(new Pool({ connectionString: url, pipeline: true, max: 14 }), {
  onError: () => undefined,
})
await live({ folder, pace: 1, ...turns.tenant() })
console.log('ready')
