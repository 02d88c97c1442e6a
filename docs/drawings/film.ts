// How does a prompt change from turn to turn? An animation of plans that `compile` made of one conversation.
import { compile, type Message } from 'minutebook'
import { sharesOf, type Share } from '@minutebook/inspect'
import type { Plan } from 'minutebook/compile'
import { talk } from './film-talk.ts'
import { box, type Colour, type Drawing, film, group, piece, type Shape, text } from './pen.ts'

const room = { window: 640, reserve: 80 }
const system: Message = { role: 'system', content: 'You help to plan a garden.' }

/** The turns that are shown, for how long, and what happens in them. */
const scenes: readonly (readonly [turn: number, seconds: number, says: string])[] = [
  [1, 1.2, 'Each turn sends the whole conversation.'],
  [4, 1.2, 'As long as it fits, it is sent unchanged.'],
  [8, 1.2, 'As long as it fits, it is sent unchanged.'],
  [11, 1.2, 'The window fills up.'],
  [13, 2, 'One more turn, and it no longer fits.'],
  [14, 3, 'Compaction: older messages are left out, and there is room for many turns.'],
  [15, 1.5, 'Each prompt begins with the one before it, so the prompt cache is used.'],
  [18, 2, 'Each prompt begins with the one before it, so the prompt cache is used.'],
  [19, 6, `Recalled, because the question asks about it: “${talk[3]![0]}”`],
]

const tierColours: Readonly<Record<string, Colour>> = {
  system: 'system',
  pinned: 'pinned',
  verbatim: 'verbatim',
  recall: 'recalled',
  current: 'accent',
}

const colours: Readonly<Record<Share['name'], Colour>> = {
  system: 'system',
  tools: 'system',
  notes: 'system',
  pinned: 'pinned',
  outline: 'omitted',
  verbatim: 'verbatim',
  recalled: 'recalled',
  latest: 'accent',
  free: 'page',
  reserve: 'page',
}

const words: Partial<Record<Share['name'], string>> = {
  verbatim: 'newest messages',
  recalled: 'recalled',
  reserve: 'answer',
}

export const windowFilm: Drawing = {
  width: 760,
  height: 218,
  title:
    'A conversation grows until the context window is full. A compaction makes room. When a question asks about an old message, that message is back in the prompt.',
  shapes: [
    text(20, 26, 'The conversation, a square for each message', { bold: true }),
    text(20, 112, `The context window of ${room.window} tokens, to scale`, { bold: true }),
    film(scenes.map(([turn, seconds, says]) => ({ seconds, shapes: sceneOf(turn, says) }))),
  ],
}

function sceneOf(turn: number, says: string): Shape[] {
  const messages = messagesUntil(turn)
  const { plan } = compile(messages, room)
  return [
    text(740, 26, `turn ${turn} · ${messages.length} messages`, { at: 'end', size: 12, colour: 'muted' }),
    ...squares(messages, plan),
    text(20, 84, `“${talk[turn - 1]![0]}”`, { size: 13, colour: 'accent' }),
    text(740, 112, `${plan.tokens} tokens`, { at: 'end', size: 12, colour: 'muted' }),
    windowBar(plan),
    text(20, 200, says, { size: 14, bold: true }),
  ]
}

/** What the model is asked in this turn: all that was said before, and the question. */
function messagesUntil(turn: number): Message[] {
  const said = talk.slice(0, turn).flatMap(([question, answer]): Message[] => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ])
  return [system, ...said.slice(0, -1)]
}

/** Low squares are answers. What is not sent is hollow. */
function squares(messages: readonly Message[], { spans }: Plan): Shape[] {
  return messages.map(({ role }, index) => {
    const { tier } = spans.find(({ from, to }) => from <= index && index < to)!
    const colour = tier === null ? 'omitted' : (tierColours[tier] ?? 'omitted')
    const height = role === 'assistant' ? 14 : 22
    return box(20 + index * 19, 62 - height, 15, height, {
      fill: colour,
      line: colour,
      cover: colour === 'omitted' ? 0 : 0.55,
      dashed: colour === 'omitted',
      round: 2,
    })
  })
}

function windowBar(plan: Plan): Shape {
  const scale = 720 / room.window
  let reached = 0
  return group([
    box(20, 124, 720, 44, { fill: 'sunken', line: 'border', round: 2 }),
    ...sharesOf(plan).map(({ name, tokens }) => {
      const [x, width] = [20 + reached * scale, tokens * scale]
      reached += tokens
      const word = words[name] ?? ''
      const label = width > word.length * 8 + 8 ? word : ''
      if (name === 'free' || tokens === 0) return group([])
      if (name === 'reserve')
        return group([
          box(round(x), 124, round(width), 44, { fill: 'page', line: 'strong', dashed: true, round: 2 }),
          text(round(x + width / 2), 150, label, { at: 'middle', size: 12, colour: 'muted' }),
        ])
      return piece(round(x), 124, round(width), 44, colours[name], label)
    }),
  ])
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
