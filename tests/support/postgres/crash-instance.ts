import { setTimeout as pause } from 'node:timers/promises'
import { postgresTurns } from '@minutebook/postgres'
import { defaultPolicy, openBook, type Model, type ModelRequest, type Tool } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { trace } from './trace.ts'

/**
 * An instance that runs turns until it is killed. Each turn calls two tools, of which one may not be run twice, and
 * then answers; what is done is written down beside the log, and said when that is acknowledged. Arguments: database,
 * name of the instance, milliseconds a step.
 */
const [url, name, step] = process.argv.slice(2) as [string, string, string]
const pool = new Pool({ connectionString: url, pipeline: true, max: 14 })
const turns = await postgresTurns(pool, { onError: () => undefined })

const tell = async (what: string, message: string): Promise<void> =>
  console.log('did', JSON.stringify(await trace(pool, name, what, message)))

/** The message that is to be answered. */
function asked({ messages }: ModelRequest): string {
  return String(messages.findLast(({ role }) => role === 'user')?.content)
}

const model: Model = async function* (request) {
  const message = asked(request)
  await tell('call', message)
  const isSecond = request.messages.at(-1)?.role === 'tool'
  for (const piece of isSecond ? ['Answer ', 'to ', message] : ['Let me ', 'look.']) {
    await pause(Number(step))
    yield { type: 'text', text: piece }
  }
  const call = (tool: string): object => ({
    id: `${tool} ${message}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify({ message }) },
  })
  if (isSecond) yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: `Answer to ${message}` } }
  else
    yield {
      type: 'end',
      finish: 'calls',
      message: { role: 'assistant', content: 'Let me look.', tool_calls: [call('once'), call('again')] } as never,
    }
}

const tool = (called: string, mayRepeat: boolean): Tool => ({
  name: called,
  parameters: { type: 'object' },
  mayRepeat,
  run: async (input) => {
    const { message } = input as { message: string }
    await tell(called, message)
    await pause(Number(step))
    return `${called} is done`
  },
})

/** Threads grow long while instances come and go: each reads what a checkpoint leaves to read. */
const policy = defaultPolicy({ recall: 'off' })

const book = openBook({
  ...turns.tenant(),
  model,
  window: 8192,
  policy,
  tools: [tool('once', false), tool('again', true)],
  clock: systemClock,
})
await book.work({ onError: (thread, error) => console.log('error', thread, String(error)) })
console.log('ready')
