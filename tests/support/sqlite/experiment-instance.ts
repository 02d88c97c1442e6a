// Runs an experiment in a process of its own, which dies where its plan says: `experiment-instance.ts <file> <folder>`.
// Says "over" when the run is.
import { sqliteStore } from '@minutebook/sqlite'
import { localQueue } from 'minutebook'
import { live, runName } from '../experiment/doomed-instance.ts'

const [file = '', folder = ''] = process.argv.slice(2)
const store = sqliteStore(file, { wait: 5000 })
const experiments = await live({ folder, pace: 0, store, queue: localQueue(store) })
await experiments.wake()
for await (const { status, reason } of experiments.run(runName).watch()) console.log(status, reason ?? '')
store.close()
process.exit()
