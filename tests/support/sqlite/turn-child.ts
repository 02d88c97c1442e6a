// One turn in a process of its own, which dies where it is told: `turn-child.ts <file> <effects> <where>`; `resume`
// finishes what is left.
import { appendFileSync } from 'node:fs'
import { defineTool, openBook, type Model } from 'minutebook'
import { dyingStore } from './dying-store.ts'

const [file = '', effects = '', where = ''] = process.argv.slice(2)
const { store, opened, at } = dyingStore(file, where)

let calls = 0
const model: Model = async function* ({ messages }) {
  const number = ++calls
  at(`before call ${number}`)
  const called = messages.some(({ role }) => role === 'tool')
  const text = called ? 'All done. [NOTE TO SELF: both tools ran]' : 'Let me see.'
  for (const [index, piece] of text.split(/(?<= )/).entries()) {
    yield { type: 'text', text: piece }
    at(`in call ${number} after piece ${index + 1}`)
  }
  const tool_calls = ['once', 'again'].map((name) => ({
    id: name,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  yield {
    type: 'end',
    message: { role: 'assistant', content: text, ...(!called && { tool_calls }) },
    finish: called ? 'stop' : 'calls',
  }
}

const effect = (name: string, mayRepeat: boolean): ReturnType<typeof defineTool> =>
  defineTool({
    name,
    mayRepeat,
    parameters: { type: 'object' },
    run: async () => {
      at(`in ${name} before its effect`)
      appendFileSync(effects, `${name}\n`)
      at(`in ${name} after its effect`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return 'ok'
    },
  })

const book = openBook({
  store,
  model,
  window: 4096,
  system: 'You use tools.',
  notes: 'block',
  tools: [effect('once', false), effect('again', true)],
})
if (where === 'resume') for await (const { turn } of book.resume()) await turn.done
else await book.thread('t').send('Do both', { id: 'request-1' }).done
opened.close()
