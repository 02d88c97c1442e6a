import { defineTool, localQueue, memoryStore, openBook, type Model, type Store, type Thread } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { sqliteStore } from '@minutebook/sqlite'
import { messageAt } from '../growing-log.ts'
import { median } from '../median.ts'
import { processorTime } from '../processor-time.ts'
import { countedCalls } from './counted-calls.ts'

export const stores = ['memory', 'SQLite'] as const
export const tracks = ['no queue', 'localQueue'] as const
export const kinds = ['plain', 'one tool call'] as const

/** Where a book keeps its threads, how it runs them, and what a turn does. */
export type KeptIn = (typeof stores)[number]
export type Track = (typeof tracks)[number]
export type Kind = (typeof kinds)[number]

/** What the turns of one play cost. */
export interface TurnCosts {
  /** Microseconds of processor time of the whole process, turn by turn. */
  readonly processor: readonly number[]
  /** Microseconds from `send` to the end of the turn. */
  readonly elapsed: readonly number[]
  /** Store calls of all turns together, by method. */
  readonly calls: ReadonlyMap<string, number>
}

/** A book on which turns are played. */
export interface TurnStage {
  /** A new thread that begins with these lines of an export. */
  thread(lines: readonly string[]): Promise<Thread>
  play(thread: Thread, kind: Kind, turns: number): Promise<TurnCosts>
  /** Every prompt that the model was sent since this was called last. */
  takePrompts(): readonly string[]
  close(): Promise<void>
}

/** SQLite keeps its threads in `file`. */
export async function openStage(kept: KeptIn, track: Track, file: string): Promise<TurnStage> {
  const counts = new Map<string, number>()
  const sqlite = kept === 'SQLite' ? sqliteStore(file) : undefined
  const store: Store = countedCalls(sqlite ?? memoryStore(), counts)
  const queue = track === 'localQueue' ? localQueue(store) : undefined
  const { model, requests } = quickModel()
  const book = openBook({ ...settings, store, queue, model })
  const errors: unknown[] = []
  const stop = await (queue && book.work({ onError: (_, error) => void errors.push(error) }))
  const prompts: string[] = []
  let threads = 0
  let asked = 0
  return {
    thread: (lines) => book.restore(`bench ${threads++}`, lines),
    play: async (thread, kind, turns) => {
      await settled()
      counts.clear()
      const processor: number[] = []
      const elapsed: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        const [spent, began] = [processorTime(), performance.now()]
        await ask(thread, kind, asked++)
        processor.push(processorTime() - spent)
        elapsed.push((performance.now() - began) * 1000)
        prompts.push(...requests.splice(0).map(({ messages }) => JSON.stringify(messages)))
      }
      await settled()
      if (errors.length > 0) throw errors[0]
      return { processor, elapsed, calls: new Map(counts) }
    },
    takePrompts: () => prompts.splice(0),
    close: async () => {
      await stop?.()
      sqlite?.close()
    },
  }
}

/** A thread with `turns` plain turns, as the lines of its export. */
export async function linesOfThread(turns: number): Promise<string[]> {
  const thread = openBook({ ...settings, store: memoryStore(), model: quickModel().model }).thread('bench')
  for (let turn = 0; turn < turns; turn++) await ask(thread, 'plain', turn)
  const lines: string[] = []
  for await (const line of thread.export()) lines.push(line)
  return lines
}

/** Several plays in one: medians of all their turns, and the store calls of one turn. */
export function summed(plays: readonly TurnCosts[]): Record<string, number> {
  const turns = plays.reduce((sum, { processor }) => sum + processor.length, 0)
  const calls = new Map<string, number>()
  for (const play of plays)
    for (const [name, count] of play.calls) calls.set(name, (calls.get(name) ?? 0) + count / turns)
  return {
    processor: median(plays.flatMap(({ processor }) => processor)),
    elapsed: median(plays.flatMap(({ elapsed }) => elapsed)),
    ...Object.fromEntries(calls),
  }
}

async function ask(thread: Thread, kind: Kind, number: number): Promise<void> {
  const question = messageAt(2 * number).text
  const { status, text } = await thread.send(kind === 'plain' ? question : `${question} ${byTool}`).done
  if (status !== 'complete' || text === '') throw new Error(`A turn ended as ${status}.`)
}

const byTool = 'Look it up.'

const settings = {
  window: 4096,
  clock: systemClock,
  tools: [
    defineTool({
      name: 'look_up',
      description: 'Looks up a place.',
      parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      mayRepeat: true,
      run: () => ({ place: 'Ghent', weather: 'rain' }),
    }),
  ],
}

/** Answers at once, word by word, as a server without any delay would. */
function quickModel(): { readonly model: Model; readonly requests: Parameters<Model>[0][] } {
  const requests: Parameters<Model>[0][] = []
  const answer = async function* (request: Parameters<Model>[0]): ReturnType<Model> {
    requests.push(request)
    const { messages } = request
    const last = messages.at(-1)
    if (last?.role === 'user' && typeof last.content === 'string' && last.content.endsWith(byTool)) {
      const call = {
        id: 'call_1',
        type: 'function' as const,
        function: { name: 'look_up', arguments: '{"place":"Ghent"}' },
      }
      yield { type: 'end', message: { role: 'assistant', content: '', tool_calls: [call] }, finish: 'calls' } as const
      return
    }
    const { text } = messageAt(2 * messages.length + 1)
    for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word } as const
    yield { type: 'end', message: { role: 'assistant', content: text }, finish: 'stop' } as const
  }
  return { model: Object.assign(answer, { model: 'scripted', wire: 'openai' as const }), requests }
}

/** Resolves when what a turn left to be done later is done. */
async function settled(): Promise<void> {
  for (let time = 0; time < 5; time++) await new Promise((resolve) => setImmediate(resolve))
}
