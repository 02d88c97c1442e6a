import { openBook, type Book, type Message, type Store, type Thread } from 'minutebook'
import { createRandom } from '../random.ts'
import { middleOf } from './long-log.ts'
import { question } from './prose.ts'
import { answer, settings } from './scripted.ts'

/** What a process plays on: a store, and a book that keeps the threads that it has played on. */
export interface Stage {
  /** Counts what is read. */
  readonly store: Store
  /** Does not count. For what a play needs to know beforehand. */
  readonly uncounted: Store
  readonly book: Book
  /** The thread objects that were played on before, by what was played and the name of the thread. */
  readonly held: Map<string, Thread>
}

/** The log of a thread, as it was imported. */
export interface Place {
  readonly thread: string
  readonly size: number
}

/** Prepares a play, and returns what is measured. */
type Play = (stage: Stage, place: Place) => Promise<() => Promise<void>>

/** Who plays: a book that knows nothing, a new thread object of a book that knows the thread, or the known object. */
const players = ['a fresh book', 'a fresh thread object', 'a held thread object'] as const
type Player = (typeof players)[number]

/**
 * All that is measured, in this order. The first one needs threads without any other play. The first relay is under
 * settings that no call had before, so that it has no checkpoint.
 */
export const plays: Readonly<Record<string, Play>> = {
  'first turn after an import': turnBy('a fresh book'),
  ...Object.fromEntries(players.map((player) => [`turn by ${player}`, turnBy(player)])),
  'dump of the first call': dumpOf(async () => 0),
  'dump of a middle call': dumpOf(async (_, { size }) => middleOf(size)),
  'dump of the newest call': dumpOf(newestCall),
  'first relay after turns': relayBy('a fresh book'),
  ...Object.fromEntries(players.map((player) => [`relay by ${player}`, relayBy(player)])),
}

function turnBy(player: Player): Play {
  return async (stage, { thread }) => {
    const chosen = await threadBy(stage, player, { kind: 'turn', thread }, sendQuestion)
    return () => sendQuestion(chosen)
  }
}

/** A client that sends its last 50 messages and a new one, and has forgotten all others. */
function relayBy(player: Player): Play {
  return async (stage, { thread }) => {
    const relay = async (by: Thread, messages: readonly Message[]): Promise<void> => {
      const relayed = await by.relay(messages)
      if (relayed.mode !== 'rewritten') throw new Error('The messages of the client fit into the window.')
      await relayed.answer(answer)
    }
    const relayNext = async (by: Thread): Promise<void> => relay(by, await lastMessages(stage, thread))
    const chosen = await threadBy(stage, player, { kind: 'relay', thread }, relayNext)
    const messages = await lastMessages(stage, thread)
    return () => relay(chosen, messages)
  }
}

/** `seqOf`: where the receipt of the call is searched from. */
function dumpOf(seqOf: (stage: Stage, place: Place) => Promise<number>): Play {
  return async (stage, place) => {
    const from = await seqOf(stage, place)
    const found = await stage.uncounted.read(place.thread, { from, to: from + 16 })
    const receipt = found.find(({ kind }) => kind === 'receipt')?.id
    const thread = freshThread(stage, place.thread)
    return async () => {
      const { same } = await thread.dump({ receipt })
      if (!same) throw new Error('The dump of a call is not what was sent.')
    }
  }
}

/** The seq of the newest receipt. It must be of a call that was played. */
async function newestCall({ uncounted, store }: Stage, { thread }: Place): Promise<number> {
  const newest = async (): Promise<number | undefined> => {
    const recent = await uncounted.read(thread, { last: 16 })
    const receipt = recent.findLast(({ kind }) => kind === 'receipt')
    return receipt && (JSON.parse(receipt.text) as { hash: string }).hash !== receipt.parent ? receipt.seq : undefined
  }
  if ((await newest()) === undefined) await sendQuestion(openBook({ ...settings, store }).thread(thread))
  return (await newest())!
}

/** The thread object that plays. One that must be known has played this kind at least once before. */
async function threadBy(
  stage: Stage,
  player: Player,
  { kind, thread }: { readonly kind: string; readonly thread: string },
  playOnce: (by: Thread) => Promise<void>,
): Promise<Thread> {
  if (player === 'a fresh book') return freshThread(stage, thread)
  const key = `${kind} ${thread}`
  const held = stage.held.get(key) ?? stage.book.thread(thread)
  if (!stage.held.has(key)) await playOnce(held)
  stage.held.set(key, held)
  return player === 'a held thread object' ? held : stage.book.thread(thread)
}

function freshThread({ store }: Stage, thread: string): Thread {
  return openBook({ ...settings, store }).thread(thread)
}

let asked = 0

/** The same questions in every process. */
function nextQuestion(): string {
  return question(createRandom(++asked * 7919))
}

async function sendQuestion(thread: Thread): Promise<void> {
  const { status } = await thread.send(nextQuestion()).done
  if (status !== 'complete') throw new Error(`A turn ended as ${status}.`)
}

async function lastMessages({ uncounted }: Stage, thread: string): Promise<readonly Message[]> {
  const recent = await uncounted.read(thread, { last: 6 * sentAgain })
  const said = recent.filter(({ kind }) => kind === 'user' || kind === 'assistant').map(({ raw }) => raw)
  return [...said.slice(-sentAgain), { role: 'user', content: nextQuestion() }]
}

const sentAgain = 50
