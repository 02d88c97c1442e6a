import type { LabQuestion, LabQuestions, LabRequest, LabResponse, Opened } from './lab-messages.ts'
import { labCall, openLab, recompiled, type Lab, type Recompiled } from './lab.ts'
import { restoring } from './restoring.ts'

/** Answers what the page asks, one after the other. A question that is asked anew takes the place of the older one. */
export interface LabDesk {
  take(request: LabRequest): void
}

export interface LabDeskOptions {
  readonly respond: (response: LabResponse) => void
  /** Lets requests come in between. */
  readonly breathe: () => Promise<void>
  readonly now: () => number
}

/** Milliseconds that the prompts of all calls are made for without a break. */
const longest = 25

/** What only the newest wish counts for. */
const replaced: ReadonlySet<LabQuestion> = new Set(['call', 'all'])

export function createLabDesk({ respond, breathe, now }: LabDeskOptions): LabDesk {
  let lab: Lab | undefined
  let isWorking = false
  const queue: LabRequest[] = []

  const answers: {
    readonly [Q in Exclude<LabQuestion, 'all'>]: (asked: LabQuestions[Q]['asked']) => LabQuestions[Q]['answer']
  } = {
    open: ({ lines, counts }) => opened((lab = openLab(lines, counts))),
    call: ({ receipt, changes }) => labCall(known(lab), receiptOf(known(lab), receipt), changes),
    restore: ({ receipt, entry, largest }) => {
      const found = restoring(known(lab), receiptOf(known(lab), receipt), entry, largest)
      return found ? { changes: found.changes, says: found.says } : null
    },
  }
  const answer = ({ id, question, asked }: LabRequest): void =>
    tried(id, () => respond({ id, answer: answers[question as Exclude<LabQuestion, 'all'>](asked as never) }))
  const tried = (id: number, act: () => void): void => {
    try {
      act()
    } catch (error) {
      respond({ id, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  /** Small questions come in between; another wish for all ends this one. */
  const answerAll = async ({ id, asked }: LabRequest): Promise<void> => {
    const made: Recompiled[] = []
    const calls = recompiled(known(lab), (asked as LabQuestions['all']['asked']).changes)
    for (let until = now() + longest, next = calls.next(); !next.done; next = calls.next()) {
      made.push(next.value)
      if (now() < until) continue
      await breathe()
      if (queue.some(({ question }) => question === 'all')) return respond({ id, dropped: true })
      for (const request of queue.splice(0)) answer(request)
      until = now() + longest
    }
    respond({ id, answer: made })
  }
  const work = async (): Promise<void> => {
    isWorking = true
    // What was sent at once is looked at together.
    await breathe()
    for (let request = queue.shift(); request; request = queue.shift()) {
      if (request.question !== 'all') answer(request)
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

function opened({ receipts, settings, told }: Lab): Opened {
  return { receipts, settings: receipts.map((receipt) => quietly(() => settings(receipt))), margin: told.margin }
}

function known(lab: Lab | undefined): Lab {
  if (!lab) throw new Error('The log is not there yet.')
  return lab
}

function receiptOf({ receipts }: Lab, id: string): Lab['receipts'][number] {
  const receipt = receipts.find((kept) => kept.id === id)
  if (!receipt) throw new Error('This call is not on the newest branch: the lab works on that.')
  return receipt
}

function quietly<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
