import { MinutebookError, type Entry, type Store } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import type { NewRecord } from 'minutebook/store'
import { callKey, entryOfEvent, eventsIn, type Begun, type Recorded, type RunEvent } from './run-event.ts'

/** The log of a run, as far as it was read. */
export interface RunLog {
  readonly run: string
  /** Reads what came since. */
  events(): Promise<readonly Recorded[]>
  /** The same, of a run that there is. Throws `unknown_run`. */
  begun(): Promise<{ readonly begun: Recorded<Begun>; readonly events: readonly Recorded[] }>
  /** Records events; false if another runner has taken the run over. */
  record(events: readonly RunEvent[], term?: number): Promise<boolean>
}

export function openRunLog(store: Store, clock: Clock, run: string, onGrown: () => void = () => undefined): RunLog {
  const thread = runThread(run)
  let known = unread(0)
  /** One at a time: an event that is read twice would be listed twice. */
  let reading: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<readonly Recorded[]> => {
    const { erasures, length } = await store.standing(thread)
    if (erasures !== known.erasures) known = unread(erasures)
    if (length > known.length) known = grown(known, await store.read(thread, { from: known.length }))
    return known.events
  }
  const events = (): Promise<readonly Recorded[]> => {
    const done = reading.then(read)
    reading = done.catch(() => undefined)
    return done
  }
  return {
    run,
    events,
    begun: async () => {
      const all = await events()
      const [begun] = all
      if (begun?.type !== 'begun')
        throw new MinutebookError('unknown_run', `There is no run "${run}".`, 'List the runs to see which there are.', {
          run,
        })
      return { begun, events: all }
    },
    record: async (news, term) => {
      const time = clock.now()
      const appended = await store.append(
        thread,
        news.map((event) => entryOfEvent(event, time)),
        term === undefined ? {} : { term },
      )
      if (appended.ok) onGrown()
      return appended.ok
    },
  }
}

interface Known {
  readonly erasures: number
  readonly length: number
  readonly events: readonly Recorded[]
  /** Of everything that was read. Grows with it: a run can be long. */
  readonly keys: Set<string | undefined>
}

function unread(erasures: number): Known {
  return { erasures, length: 0, events: [], keys: new Set() }
}

function grown({ erasures, length, events, keys }: Known, entries: readonly Entry[]): Known {
  const news = eventsIn(entries, keys)
  for (const { key } of entries) keys.add(key)
  return { erasures, length: length + entries.length, events: withoutUndone([...events, ...news]), keys }
}

/** What was undone did not happen. */
function withoutUndone(events: readonly Recorded[]): readonly Recorded[] {
  const undone = new Set(events.flatMap((event) => (event.type === 'undone' ? [callKey(event)] : [])))
  return undone.size === 0
    ? events
    : events.filter((event) => event.type !== 'undone' && !(event.type === 'effect' && undone.has(callKey(event))))
}

/** The thread with the log of a run. Its name is reserved for records, not for conversations. */
export function runThread(run: string): string {
  return `${runPrefix}${run}`
}

/** The thread of a participant: an ordinary one. */
export function participantThread(run: string, participant: string): string {
  return `run/${run}/${participant}`
}

/** The run and participant of a thread; undefined if it belongs to no run. */
export function placeOfThread(thread: string): { readonly run: string; readonly participant?: string } | undefined {
  if (thread.startsWith(runPrefix)) return { run: thread.slice(runPrefix.length) }
  const [first, run, participant, ...more] = thread.split('/')
  return first === 'run' && run && participant && more.length === 0 ? { run, participant } : undefined
}

/** Throws `invalid_run` for what cannot be the name of a run. */
export function checkRunName(run: string): string {
  if (!isName.test(run) || run === 'compare')
    throw new MinutebookError(
      'invalid_run',
      'This is not a valid name for a run.',
      'Use 1 to 80 lower-case letters, digits, dots, dashes and underscores, and begin with a letter or a digit; "compare" is taken.',
      { run },
    )
  return run
}

const runPrefix = 'minutebook:run/'
const isName = /^[a-z0-9][a-z0-9._-]{0,79}$/

/** By which a run is listed: a record of the run's own thread, so that it is written together with its first event. */
export function listed(run: string): NewRecord {
  return { name: recordName, value: run }
}

/** The names of all runs, the newest first. */
export async function listRuns(store: Store): Promise<readonly string[]> {
  return (await store.records.find({ name: recordName })).map(({ value }) => String(value))
}

const recordName = 'run'
