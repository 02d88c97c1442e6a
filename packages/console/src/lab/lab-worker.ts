import { changesText, changesToTry, isSeen } from '@minutebook/inspect'
import type { LabQuestion, LabQuestions, LabRequest, LabResponse, Opened } from './lab-messages.ts'
import type { Changes } from './changes.ts'
import { labCall, openLab, recompiled, type Lab, type LabCall, type Recompiled } from './lab.ts'

/** Answers the requests of the page, one after the other. A new request replaces an older one of the same kind. */
export interface LabWorker {
  take(request: LabRequest): void
}

interface LabWorkerOptions {
  readonly respond: (response: LabResponse) => void
  /** Waits until new requests have come in. */
  readonly breathe: () => Promise<void>
  readonly now: () => number
}

/** The longest time, in milliseconds, to work on all calls without a break. */
const longest = 25

/** Questions of which only the newest counts. */
const replaced: ReadonlySet<LabQuestion> = new Set(['call', 'all'])

export function createLabWorker({ respond, breathe, now }: LabWorkerOptions): LabWorker {
  let lab: Lab | undefined
  let isWorking = false
  const queue: LabRequest[] = []

  const answers: {
    readonly [Q in Exclude<LabQuestion, 'all'>]: (
      asked: LabQuestions[Q]['asked'],
    ) => LabQuestions[Q]['answer'] | Promise<LabQuestions[Q]['answer']>
  } = {
    open: ({ lines, counts }) => opened((lab = openLab(lines, counts))),
    call: ({ receipt, changes }) => labCall(known(lab), receiptOf(known(lab), receipt), changes),
    restore: async ({ receipt, entry, largest }) => {
      const found = await findRestoration(known(lab), receiptOf(known(lab), receipt), entry, largest)
      return found ? { changes: found.changes, says: found.says } : null
    },
  }
  const answer = async ({ id, question, asked }: LabRequest): Promise<void> => {
    try {
      respond({ id, answer: await answers[question as Exclude<LabQuestion, 'all'>](asked as never) })
    } catch (error) {
      respond({ id, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  /** Small requests are answered in between. A newer request for all calls ends this one. */
  const answerAll = async ({ id, asked }: LabRequest): Promise<void> => {
    const made: Recompiled[] = []
    const calls = recompiled(known(lab), (asked as LabQuestions['all']['asked']).changes)
    let until = now() + longest
    for await (const call of calls) {
      made.push(call)
      if (now() < until) continue
      await breathe()
      if (queue.some(({ question }) => question === 'all')) return respond({ id, dropped: true })
      for (const request of queue.splice(0)) await answer(request)
      until = now() + longest
    }
    respond({ id, answer: made })
  }
  const work = async (): Promise<void> => {
    isWorking = true
    // Requests sent at the same time are queued together.
    await breathe()
    for (let request = queue.shift(); request; request = queue.shift()) {
      if (request.question !== 'all') await answer(request)
      else await answerAll(request).catch((error: unknown) => respond({ id: request!.id, failure: String(error) }))
      await breathe()
    }
    isWorking = false
  }
  return {
    take: (request) => {
      for (const older of queue.filter(({ question }) => question === request.question && replaced.has(question))) {
        queue.splice(queue.indexOf(older), 1)
        respond({ id: older.id, dropped: true })
      }
      queue.push(request)
      if (!isWorking) void work()
    },
  }
}

function opened({ receipts, settings, counts }: Lab): Opened {
  return { receipts, settings: receipts.map((receipt) => quietly(() => settings(receipt))), margin: counts.margin }
}

function known(lab: Lab | undefined): Lab {
  if (!lab) throw new Error('The log is not loaded yet.')
  return lab
}

function receiptOf({ receipts }: Lab, id: string): Lab['receipts'][number] {
  const receipt = receipts.find((kept) => kept.id === id)
  if (!receipt) throw new Error('This call is not on the newest branch, and the lab shows only that one.')
  return receipt
}

function quietly<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Changes that bring an entry back, described for the user. */
interface RestoredCall {
  readonly changes: Changes
  readonly says: string
  readonly call: LabCall
}

/** Finds the first changes that bring an entry back, with windows up to `largest`. Returns undefined if none does. */
export async function findRestoration(
  lab: Lab,
  receipt: Lab['receipts'][number],
  entry: string,
  largest: number,
): Promise<RestoredCall | undefined> {
  const { window } = lab.settings(receipt)
  for (const changes of changesToTry(window, largest)) {
    const call = await labCall(lab, receipt, changes)
    if (!('problem' in call) && call.entries.some(({ id, verdict }) => id === entry && isSeen(verdict)))
      return { changes, says: changesText(changes), call }
  }
  return undefined
}

// A test creates its own worker.
if ('WorkerGlobalScope' in globalThis) {
  const worker = createLabWorker({
    respond: (response) => (postMessage as (message: unknown) => void)(response),
    breathe: () => new Promise((resolve) => setTimeout(resolve, 0)),
    now: () => performance.now(),
  })
  addEventListener('message', ({ data }: MessageEvent<LabRequest>) => worker.take(data))
}
