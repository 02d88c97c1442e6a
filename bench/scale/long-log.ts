import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { memoryStore, openBook, type Entry, type Store, type Thread } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { entryOf, payloadOf, storedFrom, traits } from 'minutebook/store'
import { filesBelow, sourceFolder } from '../../tests/support/workshop.ts'
import type { Progress } from '../progress.ts'
import { createRandom, type Random } from '../random.ts'
import { prose } from './prose.ts'
import { settings } from './scripted.ts'

/**
 * Makes a log of about this many entries, at most: turns of a question, an answer and a receipt, the same for a size on
 * every machine. The first call and the one in the middle are played by a book, so that they can be dumped. All other
 * receipts are copies of the first one with other ids. The log is kept in a file until the sources change.
 */
export async function makeLog(size: number, progress: Progress): Promise<void> {
  const file = logFile(size)
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder)) if (old.startsWith(`${size}.`)) rmSync(join(folder, old), { force: true })
  const store = memoryStore()
  const thread = openBook({ ...settings, clock, store }).thread(id)
  const random = createRandom(7)
  await playTurn(thread, random)
  await appendTurns(store, middleOf(size) - 2, random, progress)
  await playTurn(thread, random)
  await appendTurns(store, size - 2, random, progress)
  const draft = `${file}.${process.pid}`
  await pipeline(Readable.from(payloadsIn(store)), createWriteStream(draft))
  renameSync(draft, file)
}

/** The steps of progress that `makeLog` reports, at most. */
export function makingSteps(size: number): number {
  return Math.ceil(size / batch) + 2
}

/** The receipt of the call that was played in the middle of a log of this size is the first one from this seq on. */
export function middleOf(size: number): number {
  return Math.floor(size / 2)
}

/** Writes the log of this size to a new thread of a store, in large appends. Returns the number of its entries. */
export async function importLog(store: Store, thread: string, size: number, progress: Progress): Promise<number> {
  let head: string | null = null
  let entries: Entry[] = []
  let length = 0
  const append = async (): Promise<void> => {
    const { ok } = await store.append(thread, entries, { head })
    if (!ok) throw new Error('An append was refused.')
    head = entries.findLast(({ kind }) => traits[kind].chained)?.id ?? head
    entries = []
    progress.step(`importing ${length.toLocaleString('en')} of ${size.toLocaleString('en')} entries`)
  }
  for await (const line of createInterface({ input: createReadStream(logFile(size)) })) {
    entries.push(storedFrom({ payload: line, seq: length++, checksum: '' }))
    if (entries.length === batch) await append()
  }
  if (entries.length > 0) await append()
  return length
}

const here = import.meta.dirname
const folder = join(tmpdir(), 'minutebook-bench-scale')

/** The prompts of calls that were played, and so their receipts, depend on all sources of the core. */
function logFile(size: number): string {
  const hash = createHash('sha256')
  const own = ['long-log.ts', 'prose.ts', 'scripted.ts', '../growing-log.ts'].map((file) => join(here, file))
  for (const file of [...filesBelow(sourceFolder).map((name) => join(sourceFolder, name)), ...own])
    hash.update(readFileSync(file))
  return join(folder, `${size}.${hash.digest('hex').slice(0, 16)}.jsonl`)
}

const id = 'long'
const time = '2026-11-15T12:00:00.000Z'
const clock = { ...systemClock, now: () => time }

/** The entries of one append. */
const batch = 3000

/** Characters. With these, 50 messages do not fit into the window, and neither does a log of 100 entries. */
const questionLength = 400
const answerLength = 1200

async function playTurn(thread: Thread, random: Random): Promise<void> {
  const { status } = await thread.send(prose(random, questionLength)).done
  if (status !== 'complete') throw new Error(`A turn ended as ${status}.`)
}

/** Appends turns as long as the thread has less entries than `length`. */
async function appendTurns(store: Store, length: number, random: Random, progress: Progress): Promise<void> {
  const receipt = (await store.read(id, { to: 8 })).find(({ kind }) => kind === 'receipt')!
  const pattern = JSON.parse(receipt.text) as object
  let newest: Entry | undefined = (await store.read(id, { last: 8 })).findLast(({ kind }) => kind === 'assistant')
  let { length: seq } = await store.standing(id)
  while (seq < length) {
    const head = newest?.id ?? null
    const entries: Entry[] = []
    while (seq < length && entries.length < batch) {
      const question = entryOf({ role: 'user', content: prose(random, questionLength) }, newest, { time })
      const answer = entryOf({ role: 'assistant', content: prose(random, answerLength) }, question, { time })
      const call = { hash: answer.id, head: question.id, length: seq + 1, upto: question.id }
      const content = JSON.stringify({ ...pattern, ...call })
      entries.push(question, answer, entryOf({ role: 'system', content }, answer, { time, kind: 'receipt' }))
      newest = answer
      seq += 3
    }
    const { ok } = await store.append(id, entries, { head })
    if (!ok) throw new Error('An append was refused.')
    progress.step(`making a log: ${seq.toLocaleString('en')} entries`)
  }
}

async function* payloadsIn(store: Store): AsyncGenerator<string> {
  for (let from = 0; ; from += batch) {
    const entries = await store.read(id, { from, to: from + batch })
    for (const entry of entries) yield `${payloadOf(entry)}\n`
    if (entries.length < batch) return
  }
}
