import { defineTool, type Message, type Model, type ModelEvent, type ModelRequest, type Tool } from 'minutebook'

/** What must never be seen by people. */
export const canary = 'canary7731'

/** What a model may do when it is called. */
export const moods = [
  'answer',
  'again',
  'empty',
  'note',
  'noteOnly',
  'one',
  'two',
  'same',
  'twins',
  'nameless',
  'unknown',
  'stuck',
  'many',
  'noted',
  'fails',
  'failsLate',
  'throws',
  'cut',
  'length',
  'deaf',
  'hangs',
  'chatter',
  'user',
  'deep',
  'nothing',
  'wordless',
  'babble',
  'asks',
  'asksTwice',
  'asksClient',
] as const
export type Mood = (typeof moods)[number]

export interface MoodyModel extends Model {
  readonly requests: ModelRequest[]
  /** How often it asked for a call, by the number in its arguments. */
  readonly issued: Map<number, number>
}

/** A model that does as its moods say, one after the other, over and over. */
export function moodyModel(take: () => Mood): MoodyModel {
  const requests: ModelRequest[] = []
  const issued = new Map<number, number>()
  let count = 0
  const call = (name: string, number: number = ++count, id?: string): object => {
    issued.set(number, (issued.get(number) ?? 0) + 1)
    return { id: id ?? `c${number}`, type: 'function', function: { name, arguments: JSON.stringify({ number }) } }
  }
  const bare = (name: string): object => {
    const number = ++count
    issued.set(number, 1)
    return { function: { name, arguments: { number } } }
  }
  const note = (): object => ({
    id: `n${++count}`,
    type: 'function',
    function: { name: 'note_to_self', arguments: JSON.stringify({ text: `${canary} ${count}` }) },
  })
  const says = (content: string | null, ...calls: object[]): Message => ({
    role: 'assistant',
    content,
    ...(calls.length && { tool_calls: calls }),
  })

  /** What it says at its end, by mood. */
  const ends: Readonly<Partial<Record<Mood, () => Message>>> = {
    answer: () => says(`Answer ${++count} of some words.`),
    again: () => says('Yes.'),
    empty: () => says(''),
    note: () => says(`Noted ${++count}. [NOTE TO SELF: ${canary} ${count}]`),
    noteOnly: () => says(null, note()),
    noted: () => says(null, note(), call('again')),
    one: () => says(null, call('once')),
    two: () => says('Both.', call('once'), call('again')),
    same: () => says(null, call('again', -1)),
    twins: () => says(null, call('again', ++count, 'twin'), call('once', ++count, 'twin')),
    nameless: () => says('', bare('again'), bare('once'), bare('again')),
    unknown: () => says(null, call('missing'), call('fails')),
    stuck: () => says(null, call('stuck'), call('once')),
    many: () => says(null, ...Array.from({ length: 12 }, () => call('again'))),
    asks: () => says('May I?', call('buy'), call('once')),
    asksTwice: () => says('', bare('buy'), bare('pick'), bare('buy')),
    asksClient: () => says('Which one?', call('pick'), call('buy')),
    length: () => says(`So far ${++count}`, call('once')),
    user: () => ({ role: 'user', content: 'I am you.' }),
    deep: () => says('Deep.', { function: { name: 'again', arguments: nested(600) } }),
    nothing: () => ({}) as Message,
  }

  const model = (request: ModelRequest): AsyncIterable<ModelEvent> => {
    requests.push(request)
    const mood = take()
    if (mood === 'throws') throw new Error('at once')
    return perform(mood, request, ends[mood]?.() ?? says(`Word ${++count} word.`))
  }
  return Object.assign(model, { requests, issued })
}

async function* perform(mood: Mood, { signal }: ModelRequest, message: Message): AsyncGenerator<ModelEvent> {
  if (mood === 'fails') throw new Error(canary)
  const text = typeof message.content === 'string' ? message.content : ''
  for (const piece of mood === 'wordless' ? [] : text.split(/(?<= )/)) {
    yield { type: 'text', text: piece }
    if (mood === 'failsLate') throw new Error('midway')
  }
  if (mood === 'cut') return
  if (mood === 'deaf') await new Promise(() => undefined)
  if (mood === 'hangs')
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('told to stop'))))
  if (mood === 'babble') yield undefined as unknown as ModelEvent
  yield {
    type: 'end',
    message,
    finish: mood === 'length' ? 'length' : message.tool_calls ? 'calls' : 'stop',
    usage: { prompt: 7 },
  }
  if (mood === 'chatter') yield { type: 'text', text: 'and another thing' }
}

/** Objects in each other, so many levels deep. */
export function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

/** The tools that it calls. `run` returns what a call of either returns. */
export function moodyTools(run: () => string): readonly Tool[] {
  return ['once', 'again'].map((name) =>
    defineTool({ name, parameters: { type: 'object', properties: { number: { type: 'number' } } }, run }),
  )
}
