// State without a database and without memory: the results of tools in the conversation are the state. The client keeps
// the conversation and sends it with each request. Here each request comes to another server.
//
//   node examples/stateless/stateless.ts                     with a script in place of a model
//   node examples/stateless/stateless.ts --model qwen3:8b    with a model of Ollama that calls tools

import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import type { Message, Model, ModelRequest } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import { gardenApp, type GardenAnswer, type GardenRequest } from './garden-app.ts'

const { OLLAMA_HOST = 'http://127.0.0.1:11434' } = process.env
const { values: options } = parseArgs({ options: { model: { type: 'string' } } })

/** All that the servers have in common. */
const secret = randomBytes(32).toString('hex')
let servers = 0

/** What a client has of its conversation. */
type Kept = Omit<GardenRequest, 'conversation'>

let ann: Kept = { messages: [], seals: [] }
ann = await say('ann', ann, 'Sow beans in bed 1.')
ann = await say('ann', ann, 'Sow carrots in bed 2.')
ann = await say('ann', ann, 'What grows where?')
console.log('\nben sends the conversation of ann:')
await say('ben', ann, 'What grows where?')
console.log('\nann sends her conversation with another plant in it:')
await say('ann', JSON.parse(JSON.stringify(ann).replaceAll('carrots', 'orchids')) as Kept, 'What grows where?')

/** Sends a message to a server that was started for it. Returns what the client then has. */
async function say(user: string, { messages, seals }: Kept, content: string): Promise<Kept> {
  const app = gardenApp(model(), secret)
  const sent: Message[] = [...messages, { role: 'user', content }]
  console.log(`${user} to server ${++servers}: ${content}`)
  const body: GardenRequest = { conversation: 'garden', messages: sent, seals }
  const response = await app.request('/chat', {
    method: 'POST',
    headers: { 'x-user': user },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  const answer = (await response.json()) as GardenAnswer
  for (const { role, content } of answer.messages)
    if (typeof content === 'string' && content !== '') console.log(`  ${role}: ${content}`)
  return { messages: [...sent, ...answer.messages], seals: answer.seals }
}

function model(): Model {
  return options.model === undefined
    ? scriptedModel([callsTool, callsTool])
    : ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: options.model })
}

/** Reads the wish as a model with tools would. */
function callsTool({ messages }: ModelRequest): ScriptedAnswer {
  const last = messages.at(-1)
  if (last?.role !== 'user') return { text: 'Done.' }
  const [, plant, bed] = /Sow (\w+) in bed (\d+)/.exec(String(last.content)) ?? []
  return { calls: [bed === undefined ? { name: 'look' } : { name: 'sow', arguments: { plant, bed: Number(bed) } }] }
}
