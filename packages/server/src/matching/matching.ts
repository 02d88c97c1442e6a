import type { Message, Store } from 'minutebook'
import { traits, type NewRecord } from 'minutebook/store'
import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { isEndOf, isLine, lineAt, lineRecord, linesUnder, type Line, type Place } from './directory.ts'
import { fingerprintsOf, longFingerprintsOf, pairHash, questionOf, type Fingerprints } from './fingerprint.ts'
import { namedThread, newThread, type Chance } from './thread-name.ts'

/**
 * Finds the thread that a client's messages belong to, by their content. It needs one read if their newest answer is
 * known, which is nearly always.
 *
 * - They hold a line of this owner up to one of its answers: that thread.
 * - They are the end of such a line, two messages at least: that thread, whose client drops its oldest messages.
 * - Several threads have it: the newest that the same model answered. If no thread fits, it is a new one.
 * - A thread that a client named is found by its name alone.
 * - Without any answer among them they are a new thread, unless the client says that it sends them again.
 *
 * @example
 * const found = await findThread({ store, owner: key.name, messages, model, now: Date.now(), random: randomBytes })
 */
export async function findThread(asked: ThreadQuestion): Promise<FoundThread> {
  const { owner, messages, name, retry } = asked
  const chain = await longFingerprintsOf(messages)
  if (name !== undefined) return findNamed(asked, chain, namedThread(owner, name))
  const again = await askedBefore(asked, chain)
  if (again) return { thread: again.thread, kind: 'retry', isWhole: again.whole !== '', chain }
  const known = await knownLine(asked, chain)
  if (known) return { ...known, kind: retry ? 'retry' : known.kind, chain }
  return { thread: newThread(owner, chanceOf(asked, chain)), kind: 'new', isWhole: true, chain }
}

/** A new thread for the same messages: the one that was found is full. */
export function anotherThread(asked: ThreadQuestion, { chain }: Pick<FoundThread, 'chain'>): FoundThread {
  return { thread: newThread(asked.owner, asked), kind: 'new', isWhole: true, chain }
}

/** The line of a question that the client sends again. Without an id it counts only for a while. */
async function askedBefore(asked: ThreadQuestion, chain: Fingerprints): Promise<Line | undefined> {
  const { id, retry, model, now } = asked
  if (id === undefined && !retry) return undefined
  const lines = await unnamedLines(asked, questionOf(chain, id))
  const line = chosen(
    id === undefined ? lines.filter(({ time }) => now - Date.parse(time ?? '') < retriedWithin) : lines,
    model,
  )
  return typeof line === 'object' ? line : undefined
}

/** The lines under a hash whose threads have no name from a client, the newest first. */
async function unnamedLines(asked: ThreadQuestion, hash: string): ReturnType<typeof linesUnder> {
  return (await linesUnder(asked, hash)).filter(({ isNamed }) => !isNamed)
}

/** Milliseconds. Official clients give up after ten minutes, and retry soon after. */
const retriedWithin = 15 * 60_000

/** Instances that get the same request at once, under the same id, must choose the same name. */
function chanceOf(asked: ThreadQuestion, chain: Fingerprints): Chance {
  const { id, model, now } = asked
  if (id === undefined) return asked
  const drawn = Buffer.from(hash('sha256', JSON.stringify([questionOf(chain, id), model])), 'hex')
  return { now: now - (now % day), random: (bytes) => drawn.subarray(0, bytes) }
}

/** Milliseconds. */
const day = 24 * 60 * 60_000

/** What a client sends, and what it says about it. */
export interface ThreadQuestion extends Place, Chance {
  readonly messages: readonly Message[]
  readonly model: string
  /** The thread that the client names. */
  readonly name?: string | undefined
  /** The client's own id for the request (`Idempotency-Key`). */
  readonly id?: string | undefined
  /** Whether the client says that it sends this again. */
  readonly retry?: boolean | undefined
}

/** Which thread messages belong to. */
export interface FoundThread {
  readonly thread: string
  /**
   * `continuation`: the newest answer among the messages is known, so they continue after it, or ask there again or
   * something else; the log shows which. `branch`: they leave a known line after an earlier answer. `retry`: they were
   * asked before, or they continue a known line and the client says that it retries.
   */
  readonly kind: 'new' | 'continuation' | 'branch' | 'retry' | 'named'
  /** They are not the history of the named thread: all of them are appended. */
  readonly alone?: boolean
  /** Whether they begin with the first message of the thread. */
  readonly isWhole: boolean
  readonly chain: Fingerprints
}

/** The thread whose line the messages contain. The newest answer is looked up first, then the others at once. */
async function knownLine(asked: ThreadQuestion, chain: Fingerprints): Promise<Omit<FoundThread, 'chain'> | undefined> {
  const [newest, ...earlier] = chain.answers.toReversed()
  if (newest === undefined) return undefined
  const known = lineUpTo(newest, await unnamedLines(asked, pairHash(chain, newest)), chain, asked.model)
  if (known) return known === 'ambiguous' ? undefined : { ...known, kind: 'continuation' }
  const places = within(earlier)
  const lists = await Promise.all(places.map((at) => unnamedLines(asked, pairHash(chain, at))))
  for (const [index, at] of places.entries()) {
    const shared = lineUpTo(at, lists[index] ?? [], chain, asked.model)
    if (shared) return shared === 'ambiguous' ? undefined : { ...shared, kind: 'branch' }
  }
  return undefined
}

/** The line that equals the messages up to a place; else the one that they are the end of. */
function lineUpTo(
  at: number,
  lines: readonly Line[],
  chain: Fingerprints,
  model: string,
): Pick<FoundThread, 'thread' | 'isWhole'> | 'ambiguous' | undefined {
  const same = chosen(
    lines.filter((line) => isLine(line, chain, at)),
    model,
  )
  if (typeof same === 'object') return { thread: same.thread, isWhole: true }
  const ending = chosen(
    lines.filter((line) => isEndOf(line, chain, at)),
    model,
  )
  return typeof ending === 'object' ? { thread: ending.thread, isWhole: false } : ending
}

/** Of several threads, the newest that the same model answered. */
function chosen(lines: readonly Line[], model: string): Line | 'ambiguous' | undefined {
  const [newest] = lines
  if (!newest || lines.every(({ thread }) => thread === newest.thread)) return newest
  return lines.find((line) => line.model === model) ?? 'ambiguous'
}

/** Some of the newest and some of the oldest: a client that rewrites the history keeps one of its ends. */
function within(places: readonly number[]): readonly number[] {
  return places.length <= 2 * mostPlaces ? places : [...places.slice(0, mostPlaces), ...places.slice(-mostPlaces)]
}

const mostPlaces = 16

/**
 * What messages are to a thread that the client names: its history, if they begin with its first message, or if their
 * newest answer is one that the thread gave to the same question: a client may have edited or summarised what was said
 * before. All others are new messages at its end.
 */
async function findNamed(asked: ThreadQuestion, chain: Fingerprints, thread: string): Promise<FoundThread> {
  const opening = await openingOf(asked, thread)
  const named = { thread, kind: 'named', chain } as const
  if (opening === undefined || opening === chain.texts[0]) return { ...named, isWhole: true }
  const newest = chain.answers.at(-1)
  const all = newest === undefined ? [] : await linesUnder(asked, pairHash(chain, newest))
  const lines = all.filter((line) => line.thread === thread)
  if (newest === undefined || lines.length === 0) return { ...named, isWhole: false, alone: true }
  const known = lineUpTo(newest, lines, chain, asked.model)
  return { ...named, isWhole: typeof known === 'object' && known.isWhole }
}

/**
 * The first message of a thread, in its normal form; undefined if it has none. A system message may be recorded there
 * as a user's.
 */
async function openingOf(
  { store, messages }: { readonly store: Store; readonly messages: readonly Message[] },
  thread: string,
): Promise<string | undefined> {
  const systems = new Set(
    messages
      .filter(({ role }) => ['system', 'developer'].includes(String(role).toLowerCase()))
      .map(({ content }) => content),
  )
  const entries = await store.read(thread, { to: mostOpening })
  const first = entries.find(({ kind, raw }) => traits[kind].chained && kind !== 'system' && !systems.has(raw.content))
  return first && fingerprintsOf([first.raw]).texts[0]
}

/** Entries of a thread among which its first message is looked for. */
const mostOpening = 16

/**
 * What is written with a question before the model is called: that it was asked, if nothing else would show that on a
 * retry. Nothing for the next turn of a known thread without an id.
 *
 * @example
 * await thread.relay(messages, { records: { question: () => questionLines(asked, found) } })
 */
export function questionLines(
  asked: ThreadQuestion,
  { thread, kind, isWhole, chain }: FoundThread,
): readonly NewRecord[] {
  const { id, model, now } = asked
  if (kind !== 'new' && id === undefined) return []
  const line = lineAt(chain, chain.texts.length - 1, { thread, model, isWhole, isNamed: kind === 'named' })
  return [lineRecord(asked, questionOf(chain, id), line, new Date(now).toISOString())]
}

/**
 * What is written with an answer, whole or partial: from then on, messages that continue after it are found.
 *
 * @example
 * await thread.relay(messages, { records: { ending: ({ answer }) => answerLines(asked, found, answer?.raw) } })
 */
export function answerLines(
  asked: Pick<ThreadQuestion, 'owner' | 'model'>,
  { thread, kind, isWhole, chain }: FoundThread,
  answer: Message | undefined,
): readonly NewRecord[] {
  if (!answer) return []
  const whole = fingerprintsOf([answer], chain)
  const at = whole.answers.at(-1)
  // An answer that was only a note is never sent back.
  if (at === undefined || at < chain.texts.length) return []
  const line = lineAt(whole, at, { thread, model: asked.model, isWhole, isNamed: kind === 'named' })
  return [lineRecord(asked, pairHash(whole, at), line)]
}
