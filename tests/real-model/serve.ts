// The engine as a process: node tests/real-model/serve.ts --port 11434 --n-ctx 2048
import { parseArgs } from 'node:util'
import { serveEngine } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '11434' },
    host: { type: 'string', default: '127.0.0.1' },
    'n-ctx': { type: 'string', default: '2048' },
    model: { type: 'string', default: 'tiny' },
  },
})

const server = await serveEngine({
  contextSize: whole('n-ctx'),
  port: whole('port'),
  host: values.host,
  model: values.model,
})
console.log(`engine on ${server.url}, model ${values.model}, a window of ${values['n-ctx']} tokens`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)))

function whole(name: 'port' | 'n-ctx'): number {
  const number = Number(values[name])
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`--${name} must be a whole number, not "${values[name]}".`)
  return number
}
