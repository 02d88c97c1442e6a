import { defineTool, memoryStore, MinutebookError, openBook, type Model, type Store } from 'minutebook'
import { metadataRecords, type StoredEntry } from 'minutebook/store'
import { setupRecord } from '../stores/setup.ts'

/** The thread that the example is in. */
export const exampleThread = 'example-trip'

/**
 * Writes a thread to try the console with, unless it exists: a conversation that outgrew its window, with tools and
 * compactions. No model is called. The answers are written below, and the rest is recorded as for any other thread.
 */
export async function loadExample(store: Store, now: number): Promise<void> {
  if ((await store.standing(exampleThread)).length > 0) return
  const log = await playedExample(now)
  const records = [await setupRecord(store, exampleThread, { system }), ...metadataRecords({ title })]
  const first = records.map((record) => ({ ...record, expected: 0 }))
  const appended = await store.append(exampleThread, log, { head: null, records: first })
  // Another request may have written it meanwhile.
  if (appended.ok || (await store.standing(exampleThread)).length > 0) return
  throw new MinutebookError('overloaded', 'The example could not be written.', 'Try again in a moment.')
}

/** The log of the example, made in memory. It ends at about this time. */
async function playedExample(now: number): Promise<readonly StoredEntry[]> {
  const store = memoryStore()
  const begun = now - turns.length * minutesPerTurn * 60_000
  let ticks = 0
  const clock = {
    now: () => new Date(Math.min(now, begun + ticks++ * tick)).toISOString(),
    after: () => new Promise<never>(() => undefined),
  }
  const book = openBook({ store, model: playing(), window: 900, reserve: 128, system, tools, clock })
  for (const [question] of turns) await book.thread(exampleThread).send(question).done
  return store.read(exampleThread)
}

const minutesPerTurn = 2
/** Milliseconds that pass between two entries. */
const tick = 20_000

/** A call of a tool, or an answer. */
type Line = string | { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }

/** Says the lines of the example, one for each call. */
function playing(): Model {
  const lines = turns.flatMap(([, ...said]) => said)
  let next = 0
  const model: Model = async function* ({ messages, tools: described }) {
    const line = lines[next++] ?? ''
    const message =
      typeof line === 'string'
        ? { role: 'assistant', content: line }
        : { role: 'assistant', content: '', tool_calls: [{ id: `call_${next}`, type: 'function', function: line }] }
    const prompt = Math.round(JSON.stringify([messages, described]).length / lettersPerToken)
    yield { type: 'end', message, finish: 'stop', usage: { prompt, completion: 40 } }
  }
  return Object.assign(model, { model: 'example', wire: 'ollama' as const })
}

/** Roughly what a tokenizer finds in English. */
const lettersPerToken = 4.4

const title = 'Example: a weekend in Prague'
const system = 'You plan a weekend in Prague for two people. Answer in one or two sentences.'

const tools = [
  defineTool({
    name: 'weather',
    description: 'The weather of a city on a day.',
    parameters: { type: 'object', properties: { city: { type: 'string' }, day: { type: 'string' } } },
    run: async () => ({ city: 'Prague', day: 'Saturday', sky: 'rain until noon, then sun', high: 17, low: 9 }),
  }),
  defineTool({
    name: 'find_table',
    description: 'Restaurants with a free table.',
    parameters: { type: 'object', properties: { near: { type: 'string' }, people: { type: 'number' } } },
    run: async () => ({
      free: [
        { name: 'The Copper Pot', at: '19:00', stepFree: true },
        { name: 'Attic Kitchen', at: '19:30', stepFree: false },
      ],
    }),
  }),
]

/** A question, and what the model says to it. */
const turns: readonly (readonly [question: string, ...said: Line[]])[] = [
  [
    'We arrive in Prague on Friday at six and stay for two nights.',
    'Then you have Friday evening, all of Saturday, and Sunday until your train.',
  ],
  [
    'Before you plan: Lena sits in a wheelchair, so please no stairs.',
    'Noted. On Friday, take the low-floor tram from the station to your hotel and have dinner nearby.',
  ],
  [
    'What is the weather on Saturday?',
    { name: 'weather', arguments: { city: 'Prague', day: 'Saturday' } },
    'Rain until noon, then sun and 17 degrees. Keep the outdoor part for the afternoon.',
  ],
  [
    'What can we do while it rains?',
    'The museum of decorative arts has a lift to every floor, and its café looks over the river.',
  ],
  ['How long does that take?', 'About two hours with the glass collection, or three with the café.'],
  [
    'And after lunch?',
    'Walk along the river to the island with the old mill. The path is paved and flat, and the ferry to it takes wheelchairs.',
  ],
  [
    'Please find a table for the evening, near the river.',
    { name: 'find_table', arguments: { near: 'river', people: 2 } },
    'The Copper Pot has a table at 19:00 and no steps at the door. The Attic Kitchen is up two flights, so I left it out.',
  ],
  [
    'What do people eat there?',
    'Dumplings, roast duck, and a potato soup with mushrooms that is better than it sounds.',
  ],
  [
    'We like music. Is there a concert?',
    'On Saturday at 21:00 a string quartet plays in the town hall, which has a lift at the side entrance.',
  ],
  ['What does it cost?', 'Two tickets are 48 euros, and the programme is free.'],
  ['Which tram takes us back?', 'Line 17, every ten minutes until midnight. All of its cars have a low floor.'],
  [
    'What shall we do on Sunday morning?',
    'Go to the market by the water for breakfast, then to the botanical garden. Both are flat, and the garden lends ramps.',
  ],
  ['When does our train leave?', 'You have not told me yet. Trains to the north leave at 14:25 and 16:25.'],
  [
    'I would love a view over the whole town. Which tower shall we climb?',
    'The tower of the old town hall has the best view. Climb it in the late afternoon, when the light is warm.',
  ],
]
