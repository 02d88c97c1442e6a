import { localQueue, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import {
  answersIn,
  environmentsOf,
  openExperiments,
  participantThread,
  type Experiment,
  type RecordedAnswer,
  type RunEvent,
} from '@minutebook/experiment/run'
import { receiptsOf } from 'minutebook/inspect'

/**
 * What a run leaves behind, without what a crash may change: terms, times, places in the log, attempts that were given
 * up.
 */
export interface Evidence {
  readonly status: string
  readonly reason: string | undefined
  /** In no order where several play at once. */
  readonly events: readonly string[]
  readonly environments: readonly (readonly [round: number, environment: unknown])[]
  /** By participant. */
  readonly chains: Readonly<Record<string, readonly string[]>>
  /** Of each model call the hash of its prompt, and its seed. */
  readonly asked: Readonly<Record<string, readonly string[]>>
}

/** Of a run in a store that nobody writes to any more. */
export async function evidenceOf(store: Store, run: string, experiment: Experiment): Promise<Evidence> {
  const queue = localQueue(store)
  const book = openBook({ store, queue, clock: systemClock })
  const opened = openExperiments({
    store,
    queue,
    book,
    clock: systemClock,
    experiment: () => experiment,
    thread: () => ({}),
  }).run(run)
  const [events, board] = [await opened.events(), await opened.board()]
  const participants = Object.keys(experiment.participants)
  const chains = await Promise.all(
    participants.map(async (name) => {
      const shown = await book.thread(participantThread(run, name)).visible()
      return [
        name,
        shown.map(({ id, parent, kind, status, text, calls }) =>
          JSON.stringify({ id, parent, kind, status, text, calls }),
        ),
      ] as const
    }),
  )
  const asked = await Promise.all(
    participants.map(async (name) => {
      const receipts = receiptsOf(await book.thread(participantThread(run, name)).entries())
      return [name, receipts.map(({ hash, options }) => `${hash} seed ${options?.seed}`)] as const
    }),
  )
  return {
    status: board.status,
    reason: board.reason,
    events: events.map(lasting).toSorted(),
    environments: [...environmentsOf(events)],
    chains: Object.fromEntries(chains),
    asked: Object.fromEntries(asked),
  }
}

/** An event without its place in the log, and that of what it names. */
function lasting({
  seq: _seq,
  time: _time,
  ...event
}: RunEvent & { readonly seq: number; readonly time?: string | undefined }): string {
  if (event.type === 'ended') return JSON.stringify({ ...event, at: 0 })
  if (event.type !== 'played') return JSON.stringify(event)
  return JSON.stringify({
    ...event,
    calls: event.calls.map(({ hash, prompt, completion }) => ({ hash, prompt, completion })),
  })
}

/** All answers of a run, by the hash of the prompt; each prompt of a run comes once. */
export async function answersOf(
  store: Store,
  run: string,
  experiment: Experiment,
): Promise<Readonly<Record<string, RecordedAnswer>>> {
  const found = await Promise.all(
    Object.keys(experiment.participants).map(async (name) => answersIn(await store.read(participantThread(run, name)))),
  )
  const answers = found.flat()
  const byHash = Object.fromEntries(answers.map((answer) => [answer.hash, answer]))
  if (Object.keys(byHash).length !== answers.length)
    throw new Error('A prompt came twice: then it cannot be told whether a call is repeated.')
  return byHash
}
