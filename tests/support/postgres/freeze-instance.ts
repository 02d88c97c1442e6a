import { setTimeout as pause } from 'node:timers/promises'
import { postgresTurns } from '@minutebook/postgres'
import { openBook, type Model, type Store, type Tool } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { httpTool } from '../../../packages/server/src/tools/http-tool.ts'
import { trace } from './trace.ts'

/**
 * An instance that stops itself (SIGSTOP) in the first run of each turn, at the point that the message names, and says
 * so before. Whoever started it lets it continue. A turn calls the model, two tools (one may not repeat, one is behind
 * an address) and the model again. Every call is written down beside the log. Arguments: database, name of the instance,
 * address of the second tool.
 */
const [url, name, toolUrl] = process.argv.slice(2) as [string, string, string]
const pool = new Pool({ connectionString: url, pipeline: true, max: 14 })
const turns = await postgresTurns(pool, { slots: 1, onError: () => undefined })

/** The turn in which this instance is to stop, and how far that has come. */
let due: { readonly message: string; readonly point: string; step: 'answered' | 'recorded' | 'ran' } | undefined

function freezeAt(point: string): void {
  if (due?.point !== point) return
  console.log(`frozen ${due.message}`)
  due = undefined
  process.kill(process.pid, 'SIGSTOP')
  // The signal may take effect a moment later.
  for (const end = performance.now() + 50; performance.now() < end;);
}

/** Whether this is the first run of the turn: that one stops. */
async function isFirst(message: string): Promise<boolean> {
  const { rowCount } = await pool.query('insert into frozen (message) values ($1) on conflict do nothing', [message])
  return rowCount === 1
}

const model: Model = async function* ({ messages }) {
  const message = String(messages.findLast(({ role }) => role === 'user')?.content)
  const isSecond = messages.at(-1)?.role === 'tool'
  await trace(pool, name, isSecond ? 'second model' : 'model', message)
  if (isSecond) {
    yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: `Answer to ${message}` } }
    return
  }
  due = (await isFirst(message)) ? { message, point: message.split(' at ')[1]!, step: 'answered' } : undefined
  const calls = ['once', 'hook'].map((tool) => ({
    id: `${tool} ${message}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify({ message }) },
  }))
  freezeAt('answered')
  yield { type: 'end', finish: 'calls', message: { role: 'assistant', content: null, tool_calls: calls } as never }
}

const once: Tool = {
  name: 'once',
  parameters: { type: 'object' },
  run: async (input) => {
    await trace(pool, name, 'once', (input as { message: string }).message)
    if (due) due.step = 'ran'
    // The other tool has been asked by now, and has not answered.
    await pause(200)
    freezeAt('tools')
    return 'done once'
  },
}
const hook = httpTool({ name: 'hook', parameters: { type: 'object' }, url: toolUrl, mayRepeat: true }, 'default')

const { store: real, ...tenant } = turns.tenant()
const store: Store = {
  ...real,
  append: async (...given) => {
    const appended = await real.append(...given)
    if (due?.step === 'answered') {
      due.step = 'recorded'
      freezeAt('recorded')
    }
    return appended
  },
  standing: async (thread) => {
    const standing = await real.standing(thread)
    if (due?.step === 'recorded') freezeAt('confirmed')
    if (due?.step === 'ran') freezeAt('second call')
    return standing
  },
}

const book = openBook({ ...tenant, store, model, window: 8192, tools: [once, hook], clock: systemClock })
await book.work({
  onError: (thread, error) => console.log('error', thread, String(error)),
  onIdle: (thread, result) => console.log(`rest ${thread} ${result?.status}`),
})
console.log('ready')
