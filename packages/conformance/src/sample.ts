// Which conversations is a function tried with? Small recipes, from which the same messages are made every time.

/** A recipe for a conversation and a window. All numbers but the window are numbers of words. */
export interface Sample {
  readonly system: readonly number[]
  readonly turns: readonly SampleTurn[]
  readonly window: number
  readonly style: SampleStyle
}

export interface SampleTurn {
  readonly question: number
  readonly rounds: readonly SampleRound[]
  /** Null: the model has not answered yet, or was interrupted. */
  readonly answer: number | null
}

/** An assistant message with calls, and their results. */
export interface SampleRound {
  readonly text: number
  readonly calls: readonly SampleCall[]
}

export interface SampleCall {
  readonly argument: number
  /** Null: the result never came. */
  readonly result: number | null
}

/** What each word ends with: nothing, a character that takes two code units, or half of such a character. */
export type SampleStyle = 'plain' | 'pairs' | 'halves'

/** A message in the shape of OpenAI's chat completions. */
export interface SampleMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/**
 * The messages of a sample, new objects every time. Each word occurs once, and says where it is from: `q2-3` is the third
 * word of the second question.
 */
export function messagesOf({ system, turns, style }: Omit<Sample, 'window'>): SampleMessage[] {
  const text = (name: string, words: number): string =>
    Array.from({ length: words }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`) + endings[style]).join(
      ' ',
    )
  return [
    ...system.map((words, index): SampleMessage => ({ role: 'system', content: text(`s${index + 1}`, words) })),
    ...turns.flatMap((turn, index) => turnMessages(turn, index + 1, text)),
  ]
}

const endings: Readonly<Record<SampleStyle, string>> = { plain: '', pairs: '\u{1f33f}', halves: '\ud83c' }

function turnMessages(
  { question, rounds, answer }: SampleTurn,
  turn: number,
  text: (name: string, words: number) => string,
): SampleMessage[] {
  const messages: SampleMessage[] = [{ role: 'user', content: text(`q${turn}`, question) }]
  let made = 0
  for (const [index, round] of rounds.entries()) {
    const calls = round.calls.map((call) => ({ ...call, name: `${turn}-${++made}` }))
    messages.push({
      role: 'assistant',
      content: round.text === 0 ? null : text(`t${turn}-${index + 1}`, round.text),
      tool_calls: calls.map(({ name, argument }) => ({
        id: `call_${name}`,
        type: 'function',
        function: { name: 'look_up', arguments: JSON.stringify({ about: text(`c${name}`, argument) }) },
      })),
    })
    for (const { name, result } of calls)
      if (result !== null)
        messages.push({ role: 'tool', tool_call_id: `call_${name}`, content: text(`r${name}`, result) })
  }
  if (answer !== null) messages.push({ role: 'assistant', content: text(`a${turn}`, answer) })
  return messages
}

/** Numbers that look random and are the same for a seed everywhere. */
export interface SampleSource {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True with this probability. */
  chance(probability: number): boolean
}

/** The seed may be any text. */
export function createRandom(seed: string): SampleSource {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
  }
}

/** Makes a sample for a counter of messages. */
export type SampleFunction = (random: SampleSource, count: (messages: readonly SampleMessage[]) => number) => Sample

/** Any conversation, from one that fits with room to spare to one that is many times the window. */
export const ordinary: SampleFunction = (random, count) => {
  const turns = listOf(random.between(1, 8), (index, last) => turnOf(random, { isOpen: index === last }))
  return sized({ system: systemOf(random), turns, style: 'plain' }, random.between(10, 130) / 100, count)
}

/** The same, as a user types it: with characters of two code units. */
export const withPairs: SampleFunction = (random, count) => ({ ...ordinary(random, count), style: 'pairs' })

/** A turn with many rounds of calls, which alone is larger than the window. */
export const toolLoop: SampleFunction = (random, count) => {
  const before = listOf(random.between(0, 2), () => turnOf(random, { isOpen: false }))
  const rounds = listOf(random.between(4, 12), () => roundOf(random))
  const turns = [...before, { question: random.between(1, 12), rounds, answer: null }]
  return sized({ system: systemOf(random), turns, style: 'plain' }, random.between(20, 80) / 100, count)
}

/** One message is larger than the whole window. */
export const oversized: SampleFunction = (random, count) => {
  const sample = ordinary(random, count)
  const chosen = random.between(0, sample.turns.length - 1)
  const turns = sample.turns.map((turn, index) => (index === chosen ? enlarged(turn, sample.window * 2, random) : turn))
  return { ...sample, turns }
}

/** What must be sent is larger than the window: the system messages and the newest question. */
export const tooLarge: SampleFunction = (random, count) => {
  const sample = ordinary(random, count)
  const newest = sample.turns.at(-1) ?? { question: 1, rounds: [], answer: null }
  const turns = [...sample.turns.slice(0, -1), { ...newest, question: random.between(4, 60) }]
  const required = messagesOf({ ...sample, turns: [{ ...newest, question: 60, rounds: [], answer: null }] })
  return { ...sample, turns, window: Math.max(2, Math.floor((count(required) * random.between(5, 60)) / 100)) }
}

/** Empty texts, no messages at all, only system messages, halves of characters. The window is larger than all of it. */
export const unusual: SampleFunction = (random, count) => {
  const empty: SampleTurn = { question: 0, rounds: [], answer: null }
  const plain: readonly Omit<Sample, 'window'>[] = [
    { system: [], turns: [], style: 'plain' },
    { system: [random.between(1, 9)], turns: [], style: 'plain' },
    { system: [random.between(0, 1)], turns: [empty], style: 'plain' },
    { system: [], turns: [{ ...empty, answer: 0 }, empty], style: 'plain' },
    { system: systemOf(random), turns: [turnOf(random, { isOpen: true })], style: 'halves' },
  ]
  const chosen = plain[random.between(0, plain.length - 1)]!
  return { ...chosen, window: Math.ceil(count(messagesOf(chosen))) + random.between(0, 20) }
}

/** A turn before the last one was interrupted: a call in it has no result. */
export const interrupted: SampleFunction = (random, count) => {
  const round = { text: random.between(0, 3), calls: [{ argument: random.between(1, 4), result: null }] }
  const broken = { question: random.between(1, 9), rounds: [round], answer: null }
  const before = listOf(random.between(0, 3), () => turnOf(random, { isOpen: false }))
  const turns = [...before, broken, { question: random.between(1, 9), rounds: [], answer: null }]
  return sized({ system: systemOf(random), turns, style: 'plain' }, random.between(50, 130) / 100, count)
}

/** A long chat of turns of equal size. Eight to twelve of them fit into the window. */
export const steady: SampleFunction = (random, count) => {
  const turn = { question: random.between(1, 8), rounds: [], answer: random.between(1, 8) }
  const system = [random.between(2, 8)]
  const turns = [...listOf(random.between(24, 32), () => turn), { ...turn, answer: null }]
  const one = count(messagesOf({ system, turns: [turn], style: 'plain' }))
  return { system, turns, style: 'plain', window: Math.ceil(one) * random.between(8, 12) }
}

function listOf<T>(length: number, item: (index: number, last: number) => T): T[] {
  return Array.from({ length }, (_, index) => item(index, length - 1))
}

function systemOf(random: SampleSource): number[] {
  return listOf(random.between(0, 2), () => random.between(1, 12))
}

function turnOf(random: SampleSource, { isOpen }: { readonly isOpen: boolean }): SampleTurn {
  return {
    question: random.chance(0.1) ? random.between(20, 60) : random.between(1, 12),
    rounds: random.chance(0.4) ? listOf(random.between(1, 3), () => roundOf(random)) : [],
    answer: isOpen ? null : random.between(1, 12),
  }
}

function roundOf(random: SampleSource): SampleRound {
  const calls = listOf(random.chance(0.7) ? 1 : random.between(2, 3), () => ({
    argument: random.between(1, 4),
    result: random.between(1, 20),
  }))
  return { text: random.chance(0.5) ? 0 : random.between(1, 4), calls }
}

/** A result, an answer or a question of the turn becomes this long. The newest question does not. */
function enlarged(turn: SampleTurn, words: number, random: SampleSource): SampleTurn {
  const [first, ...rest] = turn.rounds
  const [call, ...others] = first?.calls ?? []
  if (first && call && random.chance(0.7))
    return { ...turn, rounds: [{ ...first, calls: [{ ...call, result: words }, ...others] }, ...rest] }
  if (turn.answer === null) return turn
  return random.chance(0.5) ? { ...turn, answer: words } : { ...turn, question: words }
}

function sized(
  sample: Omit<Sample, 'window'>,
  share: number,
  count: (messages: readonly SampleMessage[]) => number,
): Sample {
  return { ...sample, window: Math.max(2, Math.round(count(messagesOf(sample)) * share)) }
}
