#!/usr/bin/env node
import { exit, stderr, stdout, versions } from 'node:process'

// Node 22 warns on every start that its SQLite is experimental, which a user of the command cannot change.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') stderr.write(`${name}: ${message}\n`)
})

// The reader of the output may close it early: `minutebook threads | head`.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

// An older Node would end with a stack trace: it has no `node:sqlite`.
const [major = 0, minor = 0] = versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  stderr.write(
    `Minutebook needs Node 22.18 or later, and this is Node ${versions.node}. Install a newer Node, such as its current LTS version.\n`,
  )
  exit(1)
}

const [{ run }, { processTerminal }] = await Promise.all([import('./program.ts'), import('./terminal/terminal.ts')])
process.exitCode = await run(process.argv.slice(2), processTerminal())
