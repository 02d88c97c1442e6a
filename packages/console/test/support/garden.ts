import { askUser, defineTool, openBook, type Entry, type Store } from 'minutebook'
import { entryOf, type StoredEntry } from 'minutebook/store'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { copyInto, recordedLog, ticking, type Said } from './seeds.ts'

/** When everything that the screenshots show took place: a page that is told so shows the same ages every time. */
export const gardenTime = '2026-11-15T12:00:00.000Z'

/** The threads of a gardener's helper: every kind of entry and every verdict, the same each time. */
export async function plantGarden(store: Store): Promise<void> {
  for (const [thread, log] of [
    ['seed-order', seedOrder],
    ['failed-call', failedCall],
    ['broken-off', brokenOff],
  ] as const)
    await copyInto(store, thread, log())
  await copyInto(store, 'garden', await gardenLog())
}

/** Three threads that wait for a decision. */
export async function plantWaiting(store: Store): Promise<void> {
  for (const [thread, minutes, question, line] of [
    ['shed-key', 42, 'Who can let the plumber in?', asks('ask_user', whoIsIn)],
    ['letter', 26, 'Write to the neighbours about the hedge.', asks('send_mail', { to: 'neighbours', text: letter })],
    ['ferns', 13, 'Buy the ferns for bed 12.', asks('order', { item: 'fern', count: 12, price: 58.8 })],
  ] as const) {
    const model = scriptedModel([line], { model: 'gemma3:4b', wire: 'ollama' })
    const tools = [askUser, asksFirst('send_mail'), { ...asksFirst('order'), decideWithin: 3_600_000 }]
    await openBook({ store, model, window: 4096, tools, clock: ticking(at(minutes)) })
      .thread(thread)
      .send(question).done
  }
}

const whoIsIn = { question: 'Who is at home on Monday morning?', options: ['Ann', 'Bob', 'Nobody'] }
const letter = `Dear neighbours,\n\n${'the hedge along the path is cut on Saturday, so please keep the path clear. '.repeat(12)}`

function asksFirst(name: string): ReturnType<typeof defineTool> {
  return defineTool({ name, description: name, parameters: { type: 'object' }, approve: true, run: async () => 'done' })
}

/** A conversation that outgrew its window of 1,024 tokens, with tools, notes and a recall. */
export function gardenLog(): Promise<readonly StoredEntry[]> {
  return recordedLog(
    turns.map(([question, ...lines]) => [question, ...lines.map(withUsage)] as Said),
    {
      name: 'gemma3:4b',
      window: 1024,
      reserve: 128,
      notes: 'block',
      from: '2026-11-15T11:20:00.000Z',
      system: 'You help with a garden of forty beds. Answer in a sentence or two, and say which bed you mean.',
      tools: [weather, basket],
    },
  )
}

const weather = defineTool({
  name: 'weather',
  description: 'The weather at a place for the next days.',
  parameters: {
    type: 'object',
    properties: { place: { type: 'string' }, days: { type: 'number' } },
    required: ['place'],
  },
  run: async () => ({
    place: 'the garden',
    days: [
      { day: 'Sunday', low: -1, rain: 0 },
      { day: 'Monday', low: 4, rain: 7 },
      { day: 'Tuesday', low: 6, rain: 12 },
    ],
  }),
})

const basket = defineTool({
  name: 'put_in_basket',
  description: 'Puts a plant on the list of what is to be bought.',
  parameters: {
    type: 'object',
    properties: { plant: { type: 'string' }, count: { type: 'number' } },
    required: ['plant', 'count'],
  },
  run: async (given) => ({ items: [given] }),
})

const asks = (name: string, given: Readonly<Record<string, unknown>>): ScriptedLine => ({
  calls: [{ name, arguments: given }],
})

const turns: readonly Said[] = [
  [
    'What grows in the shade behind the shed? The code of its lock is 4711, in case I forget.',
    'Behind the shed, in **bed 12**, ferns and hostas do well; the lock’s code is noted. [NOTE TO SELF: The shed’s lock opens with 4711.]',
  ],
  [
    'And in front of it?',
    'Bed 13 gets the noon sun: lavender, sage and thyme.\n\n| bed | sun | plant |\n|---|---|---|\n| 12 | shade | fern |\n| 13 | noon | lavender |',
  ],
  [
    'Will it freeze tonight?',
    asks('weather', { place: 'the garden', days: 3 }),
    'Yes, down to −1 °C on Sunday. Cover the lettuce in bed 4. [NOTE TO SELF: Frost on Sunday; lettuce of bed 4 covered?]',
  ],
  [
    'Put twelve ferns on the list.',
    asks('put_in_basket', { plant: 'fern', count: 12 }),
    'Twelve ferns are on the list, for bed 12.',
  ],
  ['How deep do the tulips of bed 7 go?', 'Three times as deep as the bulb is high: about 15 cm.'],
  [
    'What can I sow in November?',
    'Broad beans in bed 20, under fleece, and garlic in bed 21. Everything else waits for March.',
  ],
  [
    'The slugs are back in bed 4.',
    'Water in the morning rather than at night, take away the boards where they sleep, and set a collar of copper around the young lettuce.',
  ],
  [
    'And the roses?',
    'Leave them until the forsythia blooms. Then cut the climbing ones of bed 30 back to five strong shoots.',
  ],
  [
    'Which beds need compost?',
    'Those that fed hungry plants: 4, 9, 18 and 25. Three centimetres, raked in lightly, is plenty.',
  ],
  [
    'Draw up a plan for the week.',
    '1. **Sunday**: fleece over bed 4.\n2. **Monday**: compost for beds 4 and 9.\n3. **Tuesday**: rain, so seed orders indoors.\n4. **Wednesday**: garlic in bed 21.\n\n```text\nSun fleece | Mon compost | Tue orders | Wed garlic\n```',
  ],
  [
    'Who has the spare key of the greenhouse?',
    'Nobody said so far. Ask in the hut, and tell me: I will write it down. [NOTE TO SELF: Find out who has the greenhouse’s spare key.]',
  ],
  [
    'Is the pond deep enough for the fish to winter?',
    'At 90 cm it is, as long as a hole stays open in the ice. Float a ball in it before the frost.',
  ],
  ['Remind me: how deep did you say the tulips of bed 7 go?', 'About 15 cm: three times as deep as the bulb is high.'],
]

/** Reports what a server would: a little more than was predicted. */
function withUsage(line: ScriptedLine): ScriptedLine {
  return ({ messages, tools }) => {
    const said =
      typeof line === 'function' || line instanceof Error
        ? { text: '' }
        : typeof line === 'string'
          ? { text: line }
          : line
    const prompt = Math.round(JSON.stringify({ messages, tools }).length / 3.2)
    return { ...said, usage: { prompt, completion: 24 } }
  }
}

const at = (minutes: number): string => new Date(Date.parse(gardenTime) - minutes * 60_000).toISOString()

function seedOrder(): readonly Entry[] {
  const question = entryOf({ role: 'user', content: 'Write the seed order for spring.' }, undefined, { time: at(190) })
  return [
    question,
    entryOf({ role: 'assistant', content: 'Broad beans, garlic, lettuce (three kinds), and sweet peas.' }, question, {
      time: at(190),
    }),
  ]
}

function failedCall(): readonly Entry[] {
  const question = entryOf({ role: 'user', content: 'Translate the labels into Latin.' }, undefined, { time: at(75) })
  return [
    question,
    entryOf({ role: 'assistant', content: '' }, question, { kind: 'stop', status: 'failed', time: at(75) }),
  ]
}

function brokenOff(): readonly Entry[] {
  const question = entryOf({ role: 'user', content: 'List every rose that climbs.' }, undefined, { time: at(52) })
  return [
    question,
    entryOf({ role: 'assistant', content: 'Climbing roses are: New Dawn, Compassion, and' }, question, {
      status: 'partial',
      time: at(52),
    }),
  ]
}
