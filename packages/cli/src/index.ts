export { run } from './program.ts'
export { createTerminal, type Terminal } from './terminal/terminal.ts'
