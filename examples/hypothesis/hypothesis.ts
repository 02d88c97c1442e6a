// An agent that plans experiments in three steps, each of which needs what the one before it found. Nothing is kept in
// memory: every request, even every process, reads what it needs from the thread.
//
//   node examples/hypothesis/hypothesis.ts ann "Find a hypothesis about our checkout"
//   node examples/hypothesis/hypothesis.ts ann "Now two variants"
//   node examples/hypothesis/hypothesis.ts ann "Create the experiment"
//
// If the client keeps the conversation and sends it with each request: docs/seeds/004-stateless.md.

import { sqliteStore } from '@minutebook/sqlite'
import { defineState, defineTool, openBook } from 'minutebook'
import { currentThread, threadContext } from 'minutebook/context'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import * as z from 'zod'

const {
  OLLAMA_HOST = 'http://127.0.0.1:11434',
  HYPOTHESIS_MODEL = 'qwen3:8b',
  HYPOTHESIS_FILE = 'hypothesis.db',
} = process.env

const Hypothesis = z.object({ id: z.string(), claim: z.string() })
const Variants = z.object({ hypothesis: z.string(), names: z.array(z.string()) })
const Experiment = z.object({ id: z.string(), hypothesis: z.string(), variants: z.array(z.string()) })

export const hypothesis = defineState({ name: 'hypothesis', tools: { generate_hypothesis: { schema: Hypothesis } } })
export const variants = defineState({ name: 'variants', tools: { generate_variants: { schema: Variants } } })
export const experiment = defineState({ name: 'experiment', tools: { create_experiment: { schema: Experiment } } })

const tools = [
  defineTool({
    name: 'generate_hypothesis',
    description: 'Puts a claim on record.',
    input: z.object({ claim: z.string() }),
    run: ({ claim }, { call }) => ({ id: `h-${call.id ?? 'x'}`, claim }),
  }),
  defineTool({
    name: 'generate_variants',
    description: 'Names variants to compare.',
    input: z.object({ names: z.array(z.string()) }),
    run: async ({ names }, { state }) => ({
      hypothesis: (await state(hypothesis))?.id ?? fail('generate a hypothesis first'),
      names,
    }),
  }),
  defineTool({
    name: 'create_experiment',
    description: 'Creates the experiment from the hypothesis and its variants.',
    // The book sets the current thread, so code that is not passed the context finds it, too.
    run: async () => {
      const { id } = (await currentThread().state(hypothesis)) ?? fail('generate a hypothesis first')
      const { names } = (await currentThread().state(variants)) ?? fail('generate variants first')
      return { id: `e-${id}`, hypothesis: id, variants: names }
    },
  }),
]

const [user, ...words] = process.argv.slice(2)
if (user === undefined || words.length === 0)
  fail('say who you are and what you want: hypothesis.ts ann "Find a hypothesis"')

const store = sqliteStore(HYPOTHESIS_FILE)
const model = ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: HYPOTHESIS_MODEL })
const thread = openBook({
  store,
  model,
  window: 4096,
  tools,
  threadContext,
  system: 'You plan experiments with your tools.',
}).thread(user)

console.log(await thread.ask(words.join(' ')))
console.log({
  hypothesis: await thread.state(hypothesis),
  variants: await thread.state(variants),
  experiment: await thread.state(experiment),
})
store.close()

function fail(what: string): never {
  throw new Error(what)
}
