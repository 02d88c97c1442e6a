#!/usr/bin/env node
import { stderr, stdout } from 'node:process'

// Node 22 warns on every start that its SQLite is experimental, which a user of the command cannot change.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') stderr.write(`${name}: ${message}\n`)
})

// The reader of the output may close it early: `minutebook threads | head`.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

const [{ run }, { processTerminal }] = await Promise.all([import('./program.ts'), import('./terminal/terminal.ts')])
process.exitCode = await run(process.argv.slice(2), processTerminal())
