import { openBook } from 'minutebook'
import { processorTime } from '../processor-time.ts'
import { showProgress, type Progress } from '../progress.ts'
import { countedStore } from './counted-store.ts'
import { openStore, type KeptIn } from './kept-in.ts'
import { importLog, makeLog, makingSteps } from './long-log.ts'
import { plays, type Place, type Stage } from './plays.ts'
import { settings } from './scripted.ts'

/** What a process is told: to write logs, to play, or to end. */
export type Told =
  | { readonly tell: 'import'; readonly places: readonly Place[] }
  | { readonly tell: 'play'; readonly play: string; readonly place: Place }
  | { readonly tell: 'end' }

/** What one play cost, or an import. Milliseconds. */
export interface Figures {
  readonly elapsed: number
  readonly processor: number
  readonly rows: number
  readonly bytes: number
  /** The largest resident set that the process had until now, in bytes. */
  readonly memory: number
}

export type Said = { readonly figures: Figures } | { readonly error: string }

// A process of `scale.ts`, with one store of its own.
const { store: opened, close } = openStore(JSON.parse(process.argv[2] ?? '{}') as KeptIn)
const { store, take } = countedStore(opened)
const stage: Stage = { store, uncounted: opened, book: openBook({ ...settings, store }), held: new Map() }

process.on('message', (told: Told) => {
  answer(told).then(
    (figures) => (figures ? process.send?.({ figures } satisfies Said) : process.disconnect()),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? error.message : String(error) } satisfies Said),
  )
})
// The program that started this one is gone.
process.once('disconnect', () => void close())

async function answer(told: Told): Promise<Figures | undefined> {
  if (told.tell === 'end') return undefined
  if (told.tell === 'import') {
    await makeLogs(told.places)
    return measured(() => importLogs(told.places))
  }
  const act = await plays[told.play]!(stage, told.place)
  return measured(act)
}

async function measured(act: () => Promise<unknown>): Promise<Figures> {
  // Garbage is collected when the engine wants to: a collection that is forced throws compiled code away, too.
  take()
  const [spent, began] = [processorTime(), performance.now()]
  await act()
  const [elapsed, processor] = [performance.now() - began, (processorTime() - spent) / 1000]
  const { rows, bytes, ...counting } = take()
  return {
    elapsed: elapsed - counting.elapsed,
    processor: processor - counting.processor,
    rows,
    bytes,
    memory: process.resourceUsage().maxRSS * 1024,
  }
}

/** Only long work shows its progress. */
function progressOf(places: readonly Place[]): Progress {
  const steps = places.reduce((sum, { size }) => sum + makingSteps(size), 0)
  return places.some(({ size }) => size >= 10_000)
    ? showProgress(steps)
    : { step: () => undefined, done: () => undefined }
}

async function makeLogs(places: readonly Place[]): Promise<void> {
  const each = places.filter(({ size }, index) => places.findIndex((other) => other.size === size) === index)
  const progress = progressOf(each)
  for (const { size } of each) await makeLog(size, progress)
  progress.done()
}

async function importLogs(places: readonly Place[]): Promise<void> {
  const progress = progressOf(places)
  for (const { thread, size } of places) {
    await importLog(opened, thread, size, progress)
    // Makes the index and the checkpoints of the log, as a book does that restores one.
    await openBook({ ...settings, store: opened })
      .thread(thread)
      .dump()
  }
  progress.done()
}
