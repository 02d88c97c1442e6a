// A shop assistant that asks before it orders. Each command is a process of its own: the turn waits in the file, for a
// minute or for a week.
//
//   node examples/shop/shop.ts ann "I need a fern for the hall"
//   node examples/shop/shop.ts ann run                             # or: refuse "Too expensive"
//   node examples/shop/shop.ts ann answer "In the north window"
//
// docs/waiting.md explains it.

import { sqliteStore } from '@minutebook/sqlite'
import { askUser, defineTool, openBook, type Decision, type TurnResult } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import * as z from 'zod'

const { OLLAMA_HOST = 'http://127.0.0.1:11434', SHOP_MODEL = 'qwen3:8b', SHOP_FILE = 'shop.db' } = process.env

const order = defineTool({
  name: 'order',
  description: 'Orders an item.',
  input: z.object({ item: z.string(), price: z.number() }),
  approve: ({ price }) => price > 10,
  run: ({ item, price }) => ({ ordered: item, price }),
})

const [user = '', said = '', ...words] = process.argv.slice(2)
const store = sqliteStore(SHOP_FILE)
const model = ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: SHOP_MODEL })
const thread = openBook({ store, model, window: 4096, tools: [order, askUser] }).thread(user)

const [open] = await thread.waiting()
const decision = decisionOf(said, words.join(' '))
if (open && decision) print(await thread.decide(open.id, decision, { by: user }).done)
else print(await thread.send([said, ...words].join(' ')).done)
store.close()

function decisionOf(word: string, rest: string): Decision | undefined {
  if (word === 'run') return { do: 'run' }
  if (word === 'refuse') return { do: 'refuse', reason: rest }
  return word === 'answer' ? { do: 'answer', output: rest } : undefined
}

function print({ status, text, waiting = [], reason }: TurnResult): void {
  console.log(status === 'waiting' ? 'It waits:' : (reason?.message ?? text))
  for (const { call, needs } of waiting) console.log(`- ${call.name} ${JSON.stringify(call.input)} needs ${needs}`)
}
