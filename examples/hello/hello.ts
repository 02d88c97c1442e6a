// The library's hello world: the model calls a tool, its answer streams, and one file keeps the record.
import { sqliteStore } from '@minutebook/sqlite'
import { defineTool, openBook } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import * as z from 'zod'

const model = ollamaModel(new Ollama(), { model: 'qwen3:8b' })
const sow = defineTool({
  name: 'sow',
  description: 'Sows a plant in a bed.',
  input: z.object({ bed: z.number(), plant: z.string() }),
  run: ({ bed, plant }) => ({ bed, plant, sown: true }),
})
const book = openBook({ store: sqliteStore('garden.db'), model, tools: [sow] })
for await (const piece of book.thread('ann').send('Sow bed 3, in the shade.').text) process.stdout.write(piece)
console.log('\n\nWhat did the model see?  npx @minutebook/cli explain garden.db')
