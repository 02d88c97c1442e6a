import { setTimeout as pause } from 'node:timers/promises'
import type { Book, Thread } from 'minutebook'
import type { Sent } from '../support/turn-judgement.ts'
import type { Resuming } from './primary-death.ts'

/** Messages that are sent to several threads until it is ended, and what came back. */
export interface TurnLoad extends Resuming, Disposable {
  readonly threads: readonly string[]
  readonly sent: readonly Sent[]
  /** When a message was answered. Undefined where it was not. */
  readonly answeredAt: (message: string) => number | undefined
  readonly answers: number
  /** How often a message was sent again, since the first time brought no answer. */
  readonly repeated: number
  readonly findings: readonly string[]
  /** Resolves when everything that was sent is answered, or has not been for long. */
  readonly end: () => Promise<void>
}

interface Work {
  readonly sent: Sent[]
  readonly answered: Map<string, { readonly thread: string; readonly time: number }>
  readonly codes: Set<string>
  readonly findings: string[]
  repeated: number
}

/** Three messages at a time for each thread, of which two wait. */
export function startTurnLoad(book: Book, threads: readonly string[]): TurnLoad {
  let over = false
  const work: Work = { sent: [], answered: new Map(), codes: new Set(), findings: [], repeated: 0 }
  const running = Promise.all(
    threads.map(async (name) => {
      const thread = book.thread(name)
      for (let count = 0, isWell = true; isWell && !over; count++) {
        const asked = await Promise.all(
          ['one', 'two', 'three'].map((part) => ask(work, thread, `${name}, message ${count}, part ${part}`)),
        )
        isWell = asked.every(Boolean)
      }
    }),
  )

  return {
    threads,
    sent: work.sent,
    answeredAt: (message) => work.answered.get(message)?.time,
    get answers() {
      return work.answered.size
    },
    get repeated() {
      return work.repeated
    },
    codes: work.codes,
    findings: work.findings,
    resumedAfter: (moment) => {
      const first = new Map<string, number>()
      for (const { thread, time } of work.answered.values())
        if (time > moment && time < (first.get(thread) ?? Infinity)) first.set(thread, time)
      return first.size === threads.length ? [...first.values()] : undefined
    },
    end: async () => {
      over = true
      await Promise.race([running, pause(60_000, undefined, { ref: false })])
      const waiting = work.sent.filter(({ message }) => !work.answered.has(message))
      if (waiting.length > 0)
        work.findings.push(`${waiting.length} messages have no answer, the first of them: ${waiting[0]?.message}`)
    },
    [Symbol.dispose]: () => {
      over = true
    },
  }
}

/** Sends a message until it is answered, always under the same id. False where that is in vain. */
async function ask(work: Work, thread: Thread, message: string): Promise<boolean> {
  work.sent.push({ thread: thread.id, message })
  for (;;) {
    const { status, text, turn, reason } = await thread.send(message, { id: message, ifBusy: 'queue' }).done
    if (status === 'complete') {
      work.answered.set(message, { thread: thread.id, time: performance.now() })
      if (!text.endsWith(`Answer to ${message}`)) work.findings.push(`${message} was answered with other words`)
      return true
    }
    const code = reason?.code ?? status
    work.codes.add(code)
    // What ended on record without an answer will not be answered by sending it again.
    if (turn !== null || !(status === 'fenced' || code === 'store_unreachable' || code === 'store_readonly')) {
      work.findings.push(`${message} ended as ${status}: ${code}`)
      return false
    }
    work.repeated++
    await pause(100)
  }
}
