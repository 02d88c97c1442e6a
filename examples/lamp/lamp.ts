// A lamp that is programmed by talking to it, with a model of 4,096 tokens under a long system prompt. The last two
// programs are sent whole, so that a single colour can be changed; older ones as one line each.
//
//   node examples/lamp/lamp.ts "a thunderstorm"
//   node examples/lamp/lamp.ts "slower, and make it blue"

import { sqliteStore } from '@minutebook/sqlite'
import { defineDigester, explain, openBook, tiered } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import * as z from 'zod'

const { OLLAMA_HOST = 'http://127.0.0.1:11434', LAMP_MODEL = 'gemma3:4b', LAMP_FILE = 'lamp.db' } = process.env

const program = z.object({
  name: z.string(),
  steps: z.array(z.object({ pattern: z.string(), color: z.string() })),
  loop: z.union([z.number(), z.literal('infinite')]),
})

/** What an older program shrinks to. No model is asked, so nothing can be made up. */
const lampProgram = defineDigester({
  id: 'lamp@1',
  schema: program,
  digest: ({ name, steps, loop }) => {
    const told = steps.map(({ pattern, color }) => `${pattern}(${color})`).join(' → ')
    return `${name}, ${steps.length} steps: ${told}, ${loop === 'infinite' ? 'infinite loop' : `${loop}x loop`}`
  },
})

const store = sqliteStore(LAMP_FILE)
const lamp = openBook({
  store,
  model: ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: LAMP_MODEL }),
  output: program,
  window: 4096,
  reserve: 400,
  policy: tiered({ verbatim: 2 }),
  digesters: [lampProgram],
  system:
    'You program a lamp. Answer with one JSON program: a name, steps with a pattern and a colour each, and how often they loop.',
}).thread('lamp')

const wish = process.argv.slice(2).join(' ')
if (wish === '') {
  const { plan, text } = await lamp.dump()
  console.log(`${explain(plan)}\n\n${text}`)
} else {
  const turn = lamp.send(wish)
  for await (const event of turn) if (event.type === 'text') process.stdout.write(event.text)
  const { status, reason } = await turn.done
  console.log(status === 'complete' ? '' : `\n(${status}: ${reason?.message ?? 'the answer was cut off'})`)
  process.exitCode = status === 'complete' ? 0 : 1
}
store.close()
