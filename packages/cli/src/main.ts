#!/usr/bin/env node
import { stderr, stdout } from 'node:process'

// Node 22 calls its SQLite experimental on every start, which is nothing that who types a command can change.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') stderr.write(`${name}: ${message}\n`)
})

// Whoever reads from us may have seen enough: `minutebook threads | head`.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

const [{ run }, { processTerminal }] = await Promise.all([import('./program.ts'), import('./terminal/terminal.ts')])
process.exitCode = await run(process.argv.slice(2), processTerminal())
