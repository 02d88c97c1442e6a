// One conversation, several servers. Any process takes a question, one of those at work answers it, all can look on.
// Kill the one that answers, with -9 if you like: another goes on.
//
//   export DATABASE_URL=postgresql://…
//   node examples/relay/relay.ts work                         (in as many terminals as you like)
//   node examples/relay/relay.ts ask "Why is the sky blue?"
//   node examples/relay/relay.ts follow                       (in another, meanwhile)

import { once } from 'node:events'
import { migrate, postgresTurns } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import { Pool } from 'pg'

const {
  DATABASE_URL: connectionString,
  OLLAMA_HOST = 'http://127.0.0.1:11434',
  RELAY_MODEL = 'gemma3:4b',
} = process.env
const [task, ...words] = process.argv.slice(2)

const pool = new Pool({ connectionString })
await migrate(pool)
const turns = await postgresTurns(pool, { onError: console.error })
const book = openBook({
  ...turns.tenant(),
  model: ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: RELAY_MODEL }),
  window: 4096,
  callTimeout: 120_000,
})
const thread = book.thread('relay')
const again = '\n(another one goes on)\n'

if (task === 'work') {
  const stop = await book.work({ onError: console.error })
  console.log('at work')
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await stop()
} else if (task === 'ask') {
  const turn = thread.send(words.join(' '), { ifBusy: 'queue' })
  for await (const event of turn) {
    if (event.type === 'text') process.stdout.write(event.text)
    if (event.type === 'reset') process.stdout.write(again)
  }
  const { status, reason } = await turn.done
  console.log(status === 'complete' ? '' : `\n(${status}: ${reason?.message ?? 'the answer was cut off'})`)
  process.exitCode = status === 'complete' ? 0 : 1
} else {
  for await (const event of thread.watch({ from: 'now', until: 'rest' })) {
    if (event.type === 'text') process.stdout.write(event.text)
    if (event.type === 'reset') process.stdout.write(again)
  }
  console.log()
}
await turns.close()
await pool.end()
