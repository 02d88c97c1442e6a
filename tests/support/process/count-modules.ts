import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'

// For `node --import`: when the process ends, writes to its third stream how many modules it has loaded from files.
let count = 0
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:') && url !== import.meta.url) count++
    return next(url, context)
  },
})
process.on('exit', () => writeSync(3, String(count)))
