import { fileURLToPath } from 'node:url'

/** Where the built page lies: the server serves this folder at `/console`. */
export const consoleFolder: string = fileURLToPath(new URL('../dist/page/', import.meta.url))
