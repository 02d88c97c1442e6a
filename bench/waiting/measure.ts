import { setTimeout as pause } from 'node:timers/promises'
import { memoryStore, openBook } from 'minutebook'
import { median } from '../median.ts'
import type { Progress } from '../progress.ts'
import { fill, settings, type LeftTurn } from './left-turns.ts'
import type { Instance, Side } from './sides.ts'

/** One figure of the table: without turns that wait, and with them. */
export interface Figure {
  readonly name: string
  readonly unit: 'ms' | 'count'
  readonly none: number
  readonly waiting: number
  /** `waiting ÷ none`. Of what is played in rounds: the median of the ratios in each round. */
  readonly ratio: number
  /** The most that the ratio may be. Default: no promise. */
  readonly most?: number
}

/** Two stores with the same number of threads. In `none`, all turns are over; in `waiting`, all of them wait. */
export interface Pair {
  readonly none: Side
  readonly waiting: Side
}

export interface Plan {
  readonly rounds: number
  readonly idleSeconds: number
  /** A turn that waits, for the decision in the store in which no other does. */
  readonly left: readonly LeftTurn[]
  readonly progress: Progress
}

/** How many calls are on a page of the list. */
const page = 100

let made = 0

/** Plays every step on both stores in turns, so that the noise of the machine falls on both alike. */
export async function measure(pair: Pair, plan: Plan): Promise<Figure[]> {
  const starts = await both(pair, plan, 'start', async (side) => {
    const began = performance.now()
    const instance = await side.start()
    await ask(instance)
    const spent = performance.now() - began
    await instance.stop()
    return spent
  })
  const none = await comeToRest(pair.none, plan, 0)
  const waiting = await comeToRest(pair.waiting, plan, none.timers)
  const rest = (name: string, of: (rest: Rest) => number, more: Partial<Figure> = {}): Figure => ({
    name,
    unit: 'count',
    none: of(none),
    waiting: of(waiting),
    ratio: of(none) === of(waiting) ? 1 : of(waiting) / of(none),
    ...more,
  })
  const seconds = `${plan.idleSeconds} s`
  const steps = await playSteps({ none: none.instance, waiting: waiting.instance }, plan)
  await none.instance.stop()
  await waiting.instance.stop()
  return [
    { name: 'start, until the first turn is answered', unit: 'ms', ...starts, most: 1.2 },
    rest('look through all threads after the start', ({ looked }) => looked, { unit: 'ms' }),
    ...steps,
    ...[...none.rows.keys()].map((schema) =>
      rest(`rows that an idle worker reads in ${schema}, ${seconds}`, ({ rows }) => rows.get(schema) ?? 0),
    ),
    rest(`calls of the store, or statements, of an idle worker, ${seconds}`, ({ asked }) => asked),
    rest('timers of an idle worker', ({ timers: count }) => count),
  ]
}

/** What people and other turns notice of turns that wait. */
async function playSteps(on: { readonly none: Instance; readonly waiting: Instance }, plan: Plan): Promise<Figure[]> {
  const turns = await both(on, plan, 'turn', (instance) => timed(() => ask(instance)))
  // One turn waits in the store without others, and is decided. In the other store it is one of many.
  const decisions = await both(on, plan, 'decide', async (instance) => {
    if (instance === on.none) await fill(instance.store, `alone ${++made}`, plan.left, 1)
    const { calls } = await instance.book.waiting({ limit: 1 })
    return timed(() => decide(instance, calls[0]!))
  })
  // A page needs as many calls in both.
  await fill(on.none.store, 'page', plan.left, page)
  const pages = await both(on, plan, 'list', (instance) => timed(() => list(instance)))
  return [
    { name: `the first page of book.waiting() (none: ${page} wait)`, unit: 'ms', ...pages, most: 1.2 },
    { name: 'a turn of another thread', unit: 'ms', ...turns, most: 1.2 },
    { name: 'decide about a call, and end its turn (none: one waits)', unit: 'ms', ...decisions, most: 1.2 },
  ]
}

/** A worker with nothing to do: what it reads and holds. */
interface Rest {
  readonly instance: Instance
  readonly looked: number
  readonly asked: number
  readonly rows: ReadonlyMap<string, number>
  readonly timers: number
}

/** `held`: the timers of the workers that rest already. */
async function comeToRest(side: Side, { idleSeconds, progress }: Plan, held: number): Promise<Rest> {
  const instance = await side.start()
  const looked = await quiet(instance)
  const [asked, rows] = [instance.asked(), await instance.rows()]
  await pause(idleSeconds * 1000)
  const read = await instance.rows()
  progress.step('idle')
  return {
    instance,
    looked,
    asked: instance.asked() - asked,
    rows: new Map([...read].map(([schema, count]) => [schema, count - (rows.get(schema) ?? 0)])),
    timers: timers() - held,
  }
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length
}

/** Waits until a worker that was just started has nothing more to do than to poll. Returns how long that took. */
async function quiet(instance: Instance): Promise<number> {
  const began = performance.now()
  let last = began
  for (let asked = instance.asked(), since = began; performance.now() - since < restMilliseconds;) {
    await pause(pollMilliseconds)
    const now = instance.asked()
    if (now - asked > instance.idle) last = since = performance.now()
    asked = now
  }
  return last - began
}

const pollMilliseconds = 100
const restMilliseconds = 2000

/** The medians of a step, played on both in turns. */
async function both<T>(
  on: { readonly none: T; readonly waiting: T },
  { rounds, progress }: Plan,
  name: string,
  step: (on: T) => Promise<number>,
): Promise<Pick<Figure, 'none' | 'waiting' | 'ratio'>> {
  const times = { none: [] as number[], waiting: [] as number[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const which of round % 2 === 0 ? (['none', 'waiting'] as const) : (['waiting', 'none'] as const)) {
      const spent = await step(on[which])
      if (round > 0) times[which].push(spent)
    }
    progress.step(name)
  }
  const ratios = times.waiting.map((spent, round) => spent / times.none[round]!)
  return { none: median(times.none), waiting: median(times.waiting), ratio: median(ratios) }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function ask({ book }: Instance): Promise<void> {
  const { status } = await book.thread(`other ${++made}`).send('What grows in the shade?').done
  if (status !== 'complete') throw new Error(`A turn ended as ${status}.`)
}

async function decide(
  { book }: Instance,
  { thread, id }: { readonly thread: string; readonly id: string },
): Promise<void> {
  const { status } = await book.thread(thread).decide(id, { do: 'run' }).done
  if (status !== 'complete') throw new Error(`A turn ended as ${status} after its decision.`)
}

async function list({ book }: Instance): Promise<void> {
  const { calls } = await book.waiting({ limit: page })
  if (calls.length !== page) throw new Error(`There are ${calls.length} calls on a page of ${page}.`)
}

/** The handles and timers that a process has more of, after this many of its turns began to wait. */
export async function heldBy(turns: number): Promise<number> {
  const book = openBook({ ...settings, store: memoryStore() })
  const before = process.getActiveResourcesInfo().length
  for (let turn = 0; turn < turns; turn++) {
    const { status } = await book.thread(`t ${turn}`).send(`Order fern ${turn}`).done
    if (status !== 'waiting') throw new Error(`A turn that ought to wait is ${status}.`)
  }
  return process.getActiveResourcesInfo().length - before
}
