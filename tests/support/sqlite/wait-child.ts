// A turn with two calls that need approval and one that the client answers, in a process of its own, which dies where it
// is told: `wait-child.ts <file> <effects> <where>`. It begins the turn, or goes on with it, and decides what waits.
import { appendFileSync } from 'node:fs'
import { defineTool, openBook, type Decision, type Model, type OpenCall } from 'minutebook'
import { dyingStore } from './dying-store.ts'

const [file = '', effects = '', where = ''] = process.argv.slice(2)
const { store, opened, at } = dyingStore(file, where)

const model: Model = async function* ({ messages }) {
  const called = messages.some(({ role }) => role === 'tool')
  const tool_calls = ['order', 'pay', 'colour'].map((name) => ({
    id: name,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  const message = { role: 'assistant', content: called ? 'All done.' : '', ...(!called && { tool_calls }) }
  yield { type: 'end', message, finish: called ? 'stop' : 'calls' }
}

const asking = (name: string): ReturnType<typeof defineTool> =>
  defineTool({
    name,
    approve: true,
    run: async () => {
      at(`in ${name} before its effect`)
      appendFileSync(effects, `${name}\n`)
      at(`in ${name} after its effect`)
      return 'ok'
    },
  })

const book = openBook({
  store,
  model,
  window: 4096,
  tools: [asking('order'), asking('pay'), defineTool({ name: 'colour' })],
})
const thread = book.thread('t')
const decisionFor = ({ needs }: OpenCall): Decision =>
  needs === 'approval' ? { do: 'run' } : { do: 'answer', output: 'green' }

await thread.send('Order it', { id: 'request-1' }).done
for await (const { turn } of book.resume()) await turn.done
for (let open = await thread.waiting(); open.length > 0; open = await thread.waiting()) {
  // Each decision is sent twice, and then somebody changes their mind.
  const turns = open.flatMap((call) => [
    thread.decide(call.id, decisionFor(call), { by: 'ann' }),
    thread.decide(call.id, decisionFor(call), { by: 'bob' }),
    thread.decide(call.id, { do: 'refuse' }, { by: 'eve' }),
  ])
  await Promise.all(turns.map(({ done }) => done))
}
opened.close()
