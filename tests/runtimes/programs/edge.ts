// What runs where there are no files: compiling, and a turn with a tool whose record is in memory.
import { compile, defineTool, dump, explain, memoryStore, openBook, type Message } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'

/** The same text on every runtime. */
export async function answer(): Promise<string> {
  const sow = defineTool({ name: 'sow', run: () => ({ plant: 'spinach', sown: true }) })
  const model = scriptedModel([{ calls: [{ name: 'sow' }] }, 'Spinach is in bed 3.'])
  const book = openBook({ store: memoryStore(), model, tools: [sow], window: 8192 })
  const thread = book.thread('ann')
  const said = await thread.ask('Sow bed 3, in the shade.')
  const prompt = compile(conversation(), { window: 2048, reserve: 256 })
  return [said, (await thread.dump({ turn: 1 })).text, explain(prompt), dump(prompt)].join('\n\n')
}

/** Scripts beyond ASCII, and more than the window holds. */
function conversation(): Message[] {
  return Array.from({ length: 81 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${n}: ${'where is the key to room '.repeat(6)}${n}? 鍵はどこですか 🗝️ Straße`,
  }))
}
