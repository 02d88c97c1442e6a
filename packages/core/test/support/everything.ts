import { defineTool, openBook, type Store, type Thread } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { dot, picture, scriptedModel, words, type ScriptedLine } from '@minutebook/testing'

const clock: Clock = { now: () => '2026-11-15T12:00:00.000Z', after: () => new Promise(() => undefined) }
const tools = [
  defineTool({
    name: 'look',
    description: 'Looks around.',
    parameters: { type: 'object' },
    run: (input) => ({ seen: input }),
  }),
  defineTool({ name: 'breaks', parameters: { type: 'object' }, run: () => Promise.reject(new Error('it broke')) }),
]

const openAiLines: readonly ScriptedLine[] = [
  {
    text: 'Let me see.',
    reasoning: 'Where is it?',
    calls: [
      { id: 'c1', name: 'look', arguments: { where: 'harbour', z: 1, a: 2 } },
      { id: 'c2', name: 'breaks' },
    ],
  },
  'The harbour is quiet.\n[NOTE TO SELF: the harbour is quiet]',
  { text: 'Half an', fail: new Error('down') },
  'A picture of a dot. [NOTE TO SELF: revoked later]',
  'Another answer \u0000 \ud800 中文 \u202e.',
  'A branch.',
  { text: 'This goes on and on', finish: 'length' },
  ...Array.from({ length: 12 }, (_, n) =>
    `Filler ${n} about the lighthouse and its keeper, who never slept. `.repeat(6),
  ),
]

const ollamaLines: readonly ScriptedLine[] = [
  {
    calls: [
      { name: 'look', arguments: { where: 'attic' } },
      { name: 'note_to_self', arguments: { text: 'the attic is dark' } },
    ],
  },
  'Nothing there.',
  { text: 'Wait', hang: true },
]

/** One thread for each protocol, in which everything happens that a log can hold. */
export async function everything(store: Store): Promise<readonly Thread[]> {
  return [await withOpenAi(store), await withOllama(store)]
}

/** What it takes to read those threads again. */
export const readers = { counter: words, window: 400, tools, clock, system: 'You keep the town’s chronicle.' } as const

async function withOpenAi(store: Store): Promise<Thread> {
  const model = scriptedModel(openAiLines, { wire: 'openai', model: 'scripted' })
  const thread = openBook({ store, model, ...readers, notes: 'block' }).thread('openai')
  await thread.importMessages([
    { role: 'system', content: 'I am from elsewhere.' },
    { role: 'assistant', content: 'So am I.' },
  ])
  await thread.send('What is at the harbour?', { id: 'first', speaker: 'Ann' }).done
  await thread.send('And then?').done
  await thread.send(picture('What is this?', dot)).done
  const note = (await thread.entries()).find(({ text }) => text === 'revoked later')
  await thread.revoke(note!.id)
  await thread.retry().done
  const [newest] = await thread.branches()
  await thread.send('Elsewhere', { after: (await thread.entries()).find(({ id }) => id === newest!.head)!.parent }).done
  await thread.send('Tell me more').done
  for (let n = 0; n < 12; n++) await thread.send(`What about day ${n} at the harbour?`).done
  await thread.erase([(await thread.entries()).find(({ text }) => text.startsWith('Filler 3'))!.id])
  return thread
}

async function withOllama(store: Store): Promise<Thread> {
  const model = scriptedModel(ollamaLines, { wire: 'ollama', model: 'scripted' })
  const book = openBook({ store, model, ...readers, notes: 'tool' })
  const thread = book.thread('ollama')
  await thread.send({ role: 'user', content: 'Look around', images: [dot] }).done
  const turn = thread.send('Go on')
  for await (const event of turn) if (event.type === 'text') break
  // A message that waits while the turn runs, and is taken back.
  const queued = book.thread('ollama').send('I can wait', { ifBusy: 'queue', id: 'queued' })
  while (!(await thread.entries()).some(({ kind }) => kind === 'pending'))
    await new Promise((resolve) => setTimeout(resolve, 1))
  queued.cancel()
  turn.cancel()
  await queued.done
  return thread
}
