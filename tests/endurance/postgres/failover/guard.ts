import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { signal } from '../../../support/postgres/cluster-processes.ts'
import { killResidents, residents } from './residents.ts'

/**
 * Runs beside the process that started it. When that has ended, in whatever way, its input closes: then it ends
 * everything that works in the folder, and removes it. Argument: the folder.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Name the folder.')
for await (const _ of process.stdin) void _

// Postgres, asked this way, ends at once and leaves no shared memory behind. Whoever does not listen is killed.
for (const pid of residents(folder)) signal(pid, 'SIGQUIT')
for (let tries = 0; tries < 20 && residents(folder).length > 0; tries++) await pause(50)
await killResidents(folder)
rmSync(folder, { recursive: true, force: true })
