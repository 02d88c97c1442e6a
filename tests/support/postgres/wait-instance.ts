import { setTimeout as pause } from 'node:timers/promises'
import { postgresTurns } from '@minutebook/postgres'
import { defaultPolicy, openBook, type Model, type Tool } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { trace } from './trace.ts'

/**
 * An instance that runs turns until it is killed. Each turn makes two calls that need approval and one that the client
 * answers, and then answers itself; what runs is written down beside the log. Arguments: database, name of the instance,
 * milliseconds a step.
 */
const [url, name, step] = process.argv.slice(2) as [string, string, string]
const pool = new Pool({ connectionString: url, pipeline: true, max: 14 })
const turns = await postgresTurns(pool, { onError: () => undefined })

const model: Model = async function* ({ messages }) {
  const message = String(messages.findLast(({ role }) => role === 'user')?.content)
  await pause(Number(step))
  const call = (tool: string): object => ({
    id: `${tool} ${message}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify({ message }) },
  })
  const isAnswered = messages.at(-1)?.role === 'tool'
  const said = isAnswered
    ? { role: 'assistant', content: `Answer to ${message}` }
    : { role: 'assistant', content: '', tool_calls: ['order', 'pay', 'colour'].map(call) }
  yield { type: 'end', finish: isAnswered ? 'stop' : 'calls', message: said }
}

const asking = (called: string): Tool => ({
  name: called,
  parameters: { type: 'object' },
  approve: true,
  run: async (input) => {
    await trace(pool, name, called, (input as { message: string }).message)
    await pause(Number(step))
    return `${called} is done`
  },
})

const book = openBook({
  ...turns.tenant(),
  model,
  window: 8192,
  policy: defaultPolicy({ recall: 'off' }),
  tools: [asking('order'), asking('pay'), { name: 'colour', parameters: { type: 'object' } }],
  clock: systemClock,
})
await book.work({ onError: (thread, error) => console.log('error', thread, String(error)) })
console.log('ready')
