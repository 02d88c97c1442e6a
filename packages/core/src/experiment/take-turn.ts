import type { StoredEntry } from '../log/store.ts'
import { receiptsOf } from '../receipts/receipt.ts'
import { nextStep, turnOf } from '../log/next.ts'
import type { Thread } from '../book/thread.ts'
import { resultOf, type Turn } from '../turns/turn.ts'
import { turnKey, type ModelCall, type Played, type RunEvent } from './event.ts'
import type { Attempt } from './move.ts'
import { participantThread } from './run-name.ts'
import { seatOptions, type Table } from './seat.ts'
import { viewFor } from './view.ts'

/** Has a participant play, unless it does already, or the run is held; gives what came of it once that is over. */
export async function takeTurn(table: Table, events: readonly RunEvent[], attempt: Attempt, isHeld: boolean): Promise<Played | undefined> {
  const { store } = table.crew
  const thread = participantThread(table.log.run, attempt.participant)
  const asked = (await store.read(thread, { key: turnKey(attempt) })).at(-1)
  if (!asked) return isHeld ? undefined : ask(table, thread, events, attempt)
  if (asked.kind !== 'user') return undefined
  const since = await store.read(thread, { from: asked.seq })
  const turn = turnOf(since, asked)
  if (nextStep(turn) !== undefined) return undefined
  const ends = since.filter(({ kind }) => kind === 'stop').length
  const { status } = resultOf(turn)
  const isAnswered = status === 'complete' || status === 'partial'
  // What came of the attempts before is on record already.
  if (isAnswered || ends > attempt.attempt) return playedIn(turn, attempt, events)
  return isHeld ? undefined : askAgain(table, attempt)
}

async function ask(table: Table, thread: string, events: readonly RunEvent[], attempt: Attempt): Promise<undefined> {
  const seat = await open(table, attempt.participant)
  const { history = [] } = table.experiment.participants[attempt.participant]!
  if (history.length > 0 && (await table.crew.store.standing(thread)).length === 0) await seat.adopt(history, { trusted: true })
  return recorded(seat.send(viewFor(table.experiment, events, attempt), { id: turnKey(attempt), ifBusy: 'queue' }))
}

/** After a while that grows with each attempt: what failed may have been away for a moment. */
async function askAgain(table: Table, { participant, attempt }: Attempt): Promise<undefined> {
  await table.crew.clock.after(pause * 2 ** (attempt - 1), new AbortController().signal)
  return recorded((await open(table, participant)).retry())
}

/** Milliseconds. */
const pause = 1000

async function open(table: Table, participant: string): Promise<Thread> {
  return table.crew.book.thread(participantThread(table.log.run, participant), await seatOptions(table, participant))
}

/** Whoever runs the turn says when it is over. */
async function recorded(turn: Turn): Promise<undefined> {
  await turn.recorded
}

function playedIn(turn: readonly StoredEntry[], { step, participant, turn: number, attempt }: Attempt, events: readonly RunEvent[]): Played {
  const { status, text, reason } = resultOf(turn)
  // A turn that is tried again goes on where it was: what its attempts before took is on record.
  const counted = new Set(events.flatMap((event) => (event.type === 'played' && event.participant === participant ? event.calls.map(({ receipt }) => receipt) : [])))
  return {
    type: 'played',
    step,
    participant,
    turn: number,
    attempt,
    status: status === 'complete' || status === 'partial' || status === 'cancelled' ? status : 'failed',
    text,
    asked: turn[0]!.id,
    head: turn.findLast(({ kind }) => kind === 'assistant' || kind === 'tool' || kind === 'user')!.id,
    calls: callsIn(turn).filter(({ receipt }) => !counted.has(receipt)),
    ...(reason && { reason }),
  }
}

function callsIn(turn: readonly StoredEntry[]): readonly ModelCall[] {
  return receiptsOf(turn).map(({ id, hash, tokens: { predicted, reported }, outcome, verdicts, turn: own, window }) => {
    const isVain = outcome === 'failed' || outcome === 'cancelled' || outcome === 'refused'
    // What nobody answered cost nothing, unless somebody says so.
    return { receipt: id, hash, prompt: reported.prompt ?? (isVain ? 0 : predicted), completion: reported.completion ?? 0, verdicts, ...(own && { turn: own }), ...(window && { window }), ...(isVain && { isVain }) }
  })
}
