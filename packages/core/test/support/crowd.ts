import {
  defaultPolicy,
  defineTool,
  localFeed,
  memoryStore,
  visible,
  type Feed,
  type BusyPolicy,
  type Decision,
  type Store,
  type Thread,
  type Tool,
  type Turn,
  type TurnResult,
} from 'minutebook'
import { words } from '@minutebook/testing'
import { company, type Instance } from './instances.ts'
import { moodyModel, type Mood, type MoodyModel } from './moody-model.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { newestBranch } from './newest-branch.ts'
import { createViewer, type Viewer } from '../../../../tests/support/viewer.ts'

/** How a crowd of instances lives. */
export interface Surroundings {
  readonly moods: readonly Mood[]
  readonly delays: readonly number[]
  /** Of the feed's news, over and over: what is lost. */
  readonly losses: readonly boolean[]
  readonly system: string | undefined
  readonly notes: 'off' | 'block'
  readonly checkpointEvery: number | undefined
}

export type Deed =
  | {
      readonly do: 'send'
      readonly by: number
      readonly ifBusy: BusyPolicy
      readonly keyed: boolean
      readonly cancelAt: number | undefined
      readonly wait: number
      readonly anew: boolean
    }
  | {
      readonly do: 'retry' | 'resume'
      readonly by: number
      readonly cancelAt: number | undefined
      readonly wait: number
    }
  /** `loads`: whether it first shows what there is, and watches from there. */
  | { readonly do: 'watch'; readonly by: number; readonly loads: boolean; readonly leaves: readonly number[] }
  | { readonly do: 'cancel'; readonly by: number }
  | {
      readonly do: 'decide'
      readonly by: number
      readonly which: number
      readonly runs: boolean
      readonly wait: number
    }
  | { readonly do: 'die'; readonly which: number; readonly zombie: boolean }
  | { readonly do: 'join' | 'wait' }

/** A message that was sent, and what its sender was told and shown. */
export interface Said {
  readonly text: string
  readonly began: number
  readonly times: number
  readonly told: { readonly at: number; readonly result: TurnResult; readonly screen: string }[]
}

export interface Crowd {
  readonly store: Store
  readonly model: MoodyModel
  readonly said: Said[]
  readonly ran: Map<number, number>
  /** How often something was bought. */
  readonly bought: () => number
  readonly viewers: Viewer[]
  readonly errors: unknown[]
  /** Whether an answer was asked for again. */
  retried: boolean
  apply(deed: Deed): Promise<void>
  /** All who run turns die, one that works well comes, and the thread is left to rest. Gives what did not end. */
  calm(): Promise<readonly string[]>
}

const workers = 2

export function createCrowd({ moods, delays, losses, system, notes, checkpointEvery }: Surroundings): Crowd {
  const store = memoryStore()
  let [called, isCalm, now, lost] = [0, false, 0, 0]
  const model = moodyModel(() => (isCalm ? 'answer' : moods[called++ % moods.length]!))
  const ran = new Map<number, number>()
  let bought = 0
  const options = {
    model,
    tools: [...toolsOf(ran, () => isCalm), ...slowTools(() => bought++)],
    counter: words,
    steps: 4,
    window: 4000,
    notes,
    policy: defaultPolicy({ recall: 'off' }),
    ...(checkpointEvery !== undefined && { checkpointEvery }),
    ...(system !== undefined && { system }),
  }
  const { join } = company({ store, feed: lossy(() => losses[lost++ % losses.length]!) })
  const fronts = [
    join({ ...options, model: undefined }, { works: false, delays }),
    join({ ...options, model: undefined }, { works: false }),
  ]
  let working: Instance[] = Array.from({ length: workers }, () => join(options, { delays }))
  const all = [...working]
  const open: { readonly what: string; readonly done: Promise<unknown>; isOver: boolean }[] = []
  const threads: Thread[] = fronts.map(({ book }) => book.thread('t'))
  const leaving = new AbortController()
  const track = (what: string, done: Promise<unknown>): Promise<unknown> => {
    const tracked = { what, done, isOver: false }
    open.push(tracked)
    return done.then(() => (tracked.isOver = true))
  }

  const crowd: Crowd = {
    store,
    model,
    said: [],
    ran,
    bought: () => bought,
    viewers: [],
    retried: false,
    get errors() {
      return all.flatMap(({ errors }) => errors)
    },
    apply: async (deed) => {
      switch (deed.do) {
        case 'send': {
          const text = `Message ${++now}: what of the beds and the rain?`
          const message: Said = { text, began: now, times: deed.keyed ? 2 : 1, told: [] }
          crowd.said.push(message)
          const sending = { ifBusy: deed.ifBusy, ...(deed.keyed && { id: text }), ...(deed.anew && { after: null }) }
          for (let time = 0; time < message.times; time++) {
            const watching = watch(
              threads[(deed.by + time) % 2]!.send(text, sending),
              time === 0 ? deed.cancelAt : undefined,
            )
            void track(
              `send ${text}`,
              watching.then(({ result, screen }) => message.told.push({ at: ++now, result, screen })),
            )
          }
          return rounds(deed.wait)
        }
        case 'retry':
        case 'resume':
          if (deed.do === 'retry') crowd.retried = true
          void track(deed.do, watch(threads[deed.by % 2]![deed.do](), deed.cancelAt))
          return rounds(deed.wait)
        case 'watch': {
          const viewer = createViewer()
          crowd.viewers.push(viewer)
          void track('watch', watchOn(viewer, threads, deed, leaving.signal))
          return undefined
        }
        case 'cancel':
          void track('cancel', threads[deed.by % 2]!.cancel())
          return rounds(1)
        case 'decide':
          await decideOne(
            [threads[deed.by % 2]!, threads[(deed.by + 1) % 2]!],
            deed,
            (what, done) => void track(what, done),
          )
          return rounds(deed.wait)
        case 'die': {
          const [dying] = working.splice(deed.which % Math.max(1, working.length), 1)
          dying?.die({ zombie: deed.zombie })
          return rounds(1)
        }
        case 'join':
          if (working.length < workers + 1) working.push(join(options, { delays }))
          all.push(...working.slice(-1))
          return undefined
        case 'wait':
          return rounds(10)
      }
    },
    calm: async () => {
      isCalm = true
      const dying = working
      working = [join(options)]
      all.push(...working)
      for (const each of dying) each.die({ zombie: true })
      const rest = threads[1]!.resume()
      void track('rest', rest.done)
      const isOpen = async (): Promise<boolean> =>
        open.some(({ what, isOver }) => !isOver && what !== 'watch') || (await threads[0]!.waiting()).length > 0
      for (let round = 0; round < 1500 && (await isOpen()); round++) {
        if (round % 20 === 0)
          await decideOne([threads[0]!, threads[1]!], { which: 0, runs: true }, (what, done) => void track(what, done))
        await tick()
      }
      const shown = visible(newestBranch(await store.read('t')))
      for (
        let round = 0;
        round < 1500 &&
        crowd.viewers.some(({ isResting, entries }) => !isResting || entries.at(-1)?.id !== shown.at(-1)?.id);
        round++
      )
        await tick()
      leaving.abort()
      for (let round = 0; round < 50; round++) await tick()
      return open.filter(({ isOver }) => !isOver).map(({ what }) => what)
    },
  }
  return crowd
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await tick()
}

function lossy(isLost: () => boolean): Feed {
  const feed = localFeed()
  return {
    listen: (...given) => feed.listen(...given),
    publish: (...given) => (isLost() ? undefined : feed.publish(...given)),
  }
}

async function watch(
  turn: Turn,
  cancelAt: number | undefined,
): Promise<{ readonly result: TurnResult; readonly screen: string }> {
  let [events, screen] = [0, '']
  if (cancelAt === 0) turn.cancel()
  for await (const event of turn) {
    if (event.type === 'text') screen += event.text
    if (event.type === 'reset') screen = ''
    if (++events === cancelAt) turn.cancel()
  }
  return { result: await turn.done, screen }
}

/**
 * Watches, leaves after so many events and comes back on the other instance, over and over, until the signal aborts.
 */
async function watchOn(
  viewer: Viewer,
  threads: readonly Thread[],
  { by, loads, leaves }: Extract<Deed, { do: 'watch' }>,
  signal: AbortSignal,
): Promise<void> {
  if (loads) {
    await viewer.load(threads[by % 2]!)
    await rounds(by % 3)
  }
  for (const [time, leaveAt] of [...leaves, undefined].entries()) {
    await viewer.watch(threads[(by + time) % 2]!, { signal, leaveAt })
    await rounds(time % 3)
  }
}

/** Decides about one of the calls that wait, if there are any: on two instances at once. */
async function decideOne(
  [thread, other]: readonly [Thread, Thread],
  { which, runs }: { readonly which: number; readonly runs: boolean },
  track: (what: string, done: Promise<unknown>) => void,
): Promise<void> {
  const waiting = await thread.waiting()
  const open = waiting[which % Math.max(1, waiting.length)]
  if (!open) return
  const decision: Decision = !runs
    ? { do: 'refuse', reason: 'no' }
    : open.needs === 'approval'
      ? { do: 'run' }
      : { do: 'answer', output: 'red' }
  track('decide', thread.decide(open.id, decision).done)
  track('decide again', other.decide(open.id, { do: 'refuse' }).done)
}

/** Tools whose calls wait: for approval, and for the client. */
function slowTools(buy: () => void): Tool[] {
  const parameters = { type: 'object', properties: { number: { type: 'number' } } }
  return [
    defineTool({
      name: 'buy',
      parameters,
      approve: true,
      run: async () => {
        buy()
        await tick()
        return 'bought'
      },
    }),
    defineTool({ name: 'pick', parameters }),
  ]
}

function toolsOf(ran: Map<number, number>, isCalm: () => boolean): Tool[] {
  const count = (input: unknown): number => {
    const { number } = input as { number: number }
    ran.set(number, (ran.get(number) ?? 0) + 1)
    return number
  }
  const parameters = { type: 'object', properties: { number: { type: 'number' } } }
  return [
    defineTool({
      name: 'once',
      parameters,
      run: async (input) => {
        const number = count(input)
        await tick()
        return `once ${number}`
      },
    }),
    defineTool({
      name: 'again',
      parameters,
      mayRepeat: true,
      run: (input) => `again ${(input as { number: number }).number}`,
    }),
    defineTool({
      name: 'fails',
      parameters,
      run: () => {
        throw new Error('no')
      },
    }),
    defineTool({
      name: 'stuck',
      parameters,
      mayRepeat: true,
      run: () => (isCalm() ? 'at last' : new Promise(() => undefined)),
    }),
  ]
}
