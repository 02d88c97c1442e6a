import {
  defineTool,
  memoryStore,
  openBook,
  type Book,
  type BusyPolicy,
  type Decision,
  type Entry,
  type OpenCall,
  type Store,
  type Tool,
  type Turn,
} from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { words } from '@minutebook/testing'
import { faultyStore, type Death, type FaultyStore } from './faulty-store.ts'
import { moodyModel, type Mood, type MoodyModel } from './moody-model.ts'
import { settled, unlessSilent } from './settled.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** How threads whose calls wait are run in one world. */
export interface WaitingClimate {
  readonly moods: readonly Mood[]
  readonly delays: readonly number[]
  readonly checkpointEvery: number | undefined
  /** Milliseconds in which a call must be decided. */
  readonly within: number | undefined
}

/** How a call is decided: as its kind allows, or as it does not. `edited`: it runs with another input. */
export const decisions = ['run', 'edited', 'refuse', 'answer'] as const

export type Step =
  | { readonly do: 'send'; readonly ifBusy: BusyPolicy; readonly cancelAt: number | undefined; readonly wait: boolean }
  | {
      readonly do: 'decide'
      readonly which: number
      readonly how: (typeof decisions)[number]
      /** Another decision about the same call, at the same moment. */
      readonly also: (typeof decisions)[number] | undefined
      /** Whether a call is meant that waited once, and may be decided. */
      readonly old: boolean
      readonly wait: boolean
    }
  | { readonly do: 'edit' | 'retryOf'; readonly pick: number; readonly wait: boolean }
  | { readonly do: 'retry' | 'resume'; readonly cancelAt: number | undefined; readonly wait: boolean }
  | { readonly do: 'cancel' | 'restart' | 'switch' }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'fork'; readonly pick: number | undefined }
  | { readonly do: 'crash'; readonly at: number; readonly how: Death }

/** One book over one store, in a process that may die, with tools whose calls wait. */
export interface WaitingWorld {
  readonly behind: Store
  readonly model: MoodyModel
  readonly threads: readonly string[]
  /** How often each call of `buy` ran: by its thread, and the number in its arguments. */
  readonly bought: ReadonlyMap<string, number>
  /** Errors of turns that no step expects. */
  readonly surprises: readonly unknown[]
  apply(step: Step): Promise<void>
  /** Starts a process without faults, and decides about everything that waits. */
  calm(): Promise<void>
}

export function createWaitingWorld({ moods, delays, checkpointEvery, within }: WaitingClimate): WaitingWorld {
  const behind = memoryStore()
  let [called, now, count, isCalm] = [0, Date.parse('2026-11-15T12:00:00.000Z'), 0, false]
  const clock: Clock = { now: () => new Date(now).toISOString(), after: () => new Promise(() => undefined) }
  const model = moodyModel(() => (isCalm ? 'answer' : moods[called++ % moods.length]!))
  const bought = new Map<string, number>()
  const threads = ['t']
  const seen: { readonly thread: string; readonly call: OpenCall }[] = []
  const surprises: unknown[] = []
  let running: Promise<unknown>[] = []
  let [store, book, current]: [FaultyStore, Book, string] = [faultyStore(behind), undefined as unknown as Book, 't']

  const start = (slow: readonly number[]): void => {
    store = faultyStore(behind, slow)
    const tools = toolsOf(bought, within)
    const options = { store, model, tools, clock, checkpointEvery, counter: words, steps: 4, window: 4000 }
    book = openBook(options)
  }
  const restart = async (slow = delays): Promise<void> => {
    await Promise.all(running)
    running = []
    start(slow)
    for await (const { turn } of book.resume()) await settled(turn)
  }
  const follow = async (turn: Turn, wait: boolean, cancelAt?: number): Promise<void> => {
    void listen(turn, cancelAt)
    const end = settled(turn).then((result) => {
      if (result?.error !== undefined && !isExpected(result.error)) surprises.push(result.error)
    })
    running.push(end)
    if (wait) await end
  }
  const entryAt = async (pick: number, kinds: readonly Entry['kind'][]): Promise<Entry | undefined> => {
    const entries = (await behind.read(current)).filter(({ kind }) => kinds.includes(kind))
    return entries[pick % Math.max(1, entries.length)]
  }
  const perform = async (step: Step): Promise<void> => {
    const thread = book.thread(current)
    switch (step.do) {
      case 'send':
        return follow(thread.send(`Message ${++count}`, { ifBusy: step.ifBusy }), step.wait, step.cancelAt)
      case 'retry':
      case 'resume':
        return follow(thread[step.do](), step.wait, step.cancelAt)
      case 'edit': {
        const asked = await entryAt(step.pick, ['user'])
        return asked && follow(thread.edit(asked.id, `Edited ${++count}`, { ifBusy: 'interrupt' }), step.wait)
      }
      case 'retryOf': {
        const of = await entryAt(step.pick, ['user', 'assistant'])
        return of && follow(thread.retry({ of: of.id }), step.wait)
      }
      case 'decide': {
        const open = await thread.waiting()
        seen.push(...open.map((call) => ({ thread: current, call })))
        const choices = step.old ? seen : open.map((call) => ({ thread: current, call }))
        const chosen = choices[step.which % Math.max(1, choices.length)]
        if (!chosen) return undefined
        const { id } = chosen.call
        const own = book.thread(chosen.thread)
        const also = step.also && follow(own.decide(id, decisionOf(step.also), { by: 'ben' }), step.wait)
        await follow(own.decide(id, decisionOf(step.how), { by: 'ann' }), step.wait)
        return also
      }
      case 'fork': {
        const at = step.pick === undefined ? undefined : await entryAt(step.pick, ['user', 'assistant', 'tool', 'wait'])
        const as = `fork ${++count}`
        // It may be there although the store died while it was written.
        threads.push(as)
        return void (await thread.fork({ as, ...(at && { at: at.id }) }))
      }
      case 'switch':
        current = threads[(threads.indexOf(current) + 1) % threads.length]!
        return undefined
      case 'cancel':
        return void (await thread.cancel())
      case 'pass':
        now += step.milliseconds
        return undefined
      case 'crash':
        return store.dieAt(step.at, step.how)
      case 'restart':
        return restart()
    }
  }
  start(delays)
  return {
    behind,
    model,
    threads,
    bought,
    surprises,
    apply: async (step) => {
      if (store.dead) await restart()
      const work = perform(step).catch((error: unknown) => void (isExpected(error) || surprises.push(error)))
      await unlessSilent(work, store)
    },
    calm: async () => {
      isCalm = true
      await restart([0])
      for (const id of threads)
        for (let open = await book.thread(id).waiting(); open.length > 0; open = await book.thread(id).waiting())
          await settled(book.thread(id).decide(open[0]!.id, { do: 'refuse' }))
      await restart([0])
    },
  }
}

function decisionOf(how: (typeof decisions)[number]): Decision {
  if (how === 'edited') return { do: 'run', input: { number: -7 } }
  if (how === 'answer') return { do: 'answer', output: 'red' }
  return how === 'refuse' ? { do: 'refuse', reason: 'no' } : { do: 'run' }
}

async function listen(turn: Turn, cancelAt: number | undefined): Promise<void> {
  let events = 0
  if (cancelAt === 0) turn.cancel()
  for await (const _ of turn) if (++events === cancelAt) turn.cancel()
}

/** What a step may be told: the thread is busy, the call is decided, the store died, the model failed. */
function isExpected(error: unknown): boolean {
  const { code = '', message } = error as { readonly code?: string; readonly message?: string }
  return message === 'the store is gone' || expected.has(code) || !('code' in Object(error))
}

const expected: ReadonlySet<string> = new Set([
  'already_decided',
  'busy',
  'cancelled',
  'fenced',
  'invalid_decision',
  'malformed_message',
  'model_cut',
  'model_error',
  'not_waiting',
  'nothing_to_answer',
  'steps_exceeded',
  'waiting',
])

function toolsOf(bought: Map<string, number>, within: number | undefined): Tool[] {
  const parameters = { type: 'object', properties: { number: { type: 'number' } } }
  const limit = within === undefined ? {} : { decideWithin: within }
  return [
    defineTool({
      name: 'buy',
      parameters,
      approve: true,
      ...limit,
      run: async (input, { thread }) => {
        const place = `${thread} ${(input as { readonly number: number }).number}`
        bought.set(place, (bought.get(place) ?? 0) + 1)
        await tick()
        return 'bought'
      },
    }),
    defineTool({ name: 'pick', parameters, ...limit }),
    defineTool({ name: 'once', parameters, run: () => 'once' }),
    defineTool({ name: 'again', parameters, mayRepeat: true, run: () => 'again' }),
  ]
}
