import { demotedBy, isOwnText, isSystemText, openingKey, senderKey, type Entry, type EntryDraft } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { wasErased, type AppendOptions, type LiveLog } from '../past/live-log.ts'
import { kindOf, type Message } from '../log/message.ts'
import { checkBeside } from '../log/next.ts'
import type { NewRecord, StoredEntry } from '../log/store.ts'
import { finishOf, isReceipt, receiptFrom, type KeptReceipt } from '../receipts/receipt.ts'
import { inSlices } from '../log/time.ts'
import { matching, reconciling, type ReconcileOptions, type Reconciliation } from '../turns/match-history.ts'
import { asImported, saidNow, withSystemText } from '../turns/place-messages.ts'
import { idTakenError, isSaying } from '../turns/send.ts'
import { appendOrThrowFenced } from '../turns/fence.ts'
import { erasedBeforeError } from '../turns/stop-turn.ts'

/** How the messages of a client are recorded. */
export interface RequestOptions {
  /**
   * The client's own id for the request. With the same id the question is not recorded twice, and a finished answer is
   * found again.
   */
  readonly id?: string | undefined
  /** True if the id was just made, so that no earlier request had it: it is not searched for. Default: false. */
  readonly freshId?: boolean | undefined
  /** True if these messages were relayed before: another model call for the same question. */
  readonly retry?: boolean | undefined
  /** Accept the client's system messages as such. If not, they count as a user's words. Default: false. */
  readonly trusted?: boolean | undefined
  /**
   * True if the messages are not a history: all of them are appended to the newest branch, or after the entry `after`.
   */
  readonly alone?: boolean | undefined
  /** The id of the entry that they follow. Only with `alone`. */
  readonly after?: string | undefined
  /**
   * The thread was found by what these messages say, not by its name. Then the prompt holds only what they say. Notes,
   * journal and pins of the thread are added if they begin with the first message of their branch. Default: false, and
   * a prompt may hold all of the branch.
   */
  readonly onlySent?: boolean | undefined
  /**
   * The id of a receipt whose call had the answer `after`. The prompt holds what that call was asked, this answer and
   * these messages, and nothing else of the branch. Null: it is not known what the call was asked.
   */
  readonly continues?: string | null | undefined
  /** Records of the thread to write in the same append as the question or the ending. */
  readonly records?: RelayRecords | undefined
}

/**
 * Returns the records that a program keeps for a relay. Each function is called when its entry is about to be written,
 * or is recorded already.
 */
export interface RelayRecords {
  /** Called with the question. */
  question?(question: Entry): readonly NewRecord[]
  /** Called with the entry that the receipt hangs off, and with the answer, whole or partial, if there is one. */
  ending?(ending: { readonly at: string; readonly answer: Entry | undefined }): readonly NewRecord[]
}

/** A client's messages after they were recorded. */
export interface PlacedRequest {
  /** The entry of the last message. */
  readonly question: Entry
  /** The entry that the answer follows: the question, or a system entry after it. */
  readonly head: Entry
  /** For each message, its entry. */
  readonly entries: readonly (Entry | undefined)[]
  readonly answered: Entry | undefined
  /** The receipt of that answer. */
  readonly receipt?: KeptReceipt | undefined
  /** Resolves when the messages are recorded. Until then, what follows from them may only be computed. */
  readonly recorded?: Promise<unknown>
}

/**
 * Where in the log do a client's messages belong? Records those that are new.
 */
export async function placeRelayed(
  log: LiveLog,
  messages: readonly Message[],
  taking: RequestOptions,
  system: string | undefined,
): Promise<PlacedRequest> {
  const compared = { known: true, trimmed: true, demoted: !taking.trusted }
  log.checkout()
  const usedId = taking.freshId ? undefined : taking.id
  // Any receipt may have it.
  if (usedId !== undefined) await log.past.whole()
  const asked = usedId === undefined ? undefined : findRequest(log.entries, usedId)
  if (asked && !isSaying(asked.question, messages.at(-1)!)) throw idTakenError()
  const found = await (asked ? askedAgain(asked.question) : placeOf())
  if (asked?.answered) return { ...asked, head: asked.question, entries: found.known }
  const { fresh, known, indexes } = found
  // With `after` the messages are not a history, so they do not open a conversation.
  const opening = taking.after === undefined ? openingOf(messages, indexes) : []
  const asDrafts = draftsOf(fresh, indexes.at(-1) === messages.length - 1, taking, opening)
  const withText = await withSystem(log, found.after, asDrafts, system)
  const { after, drafts, said } = await sayable(log, found.after, withText, taking)
  log.checkRoom(drafts)
  const hasLast = known.at(-1) !== undefined || indexes.at(-1) === messages.length - 1
  const standing = hasLast ? undefined : await entryAt(log, after)
  /** The entry of each message, and of the last one, given the entries of the new messages. */
  const placedWith = (
    added: readonly Entry[],
  ): { readonly entries: readonly (Entry | undefined)[]; readonly question: Entry } => {
    const own = [...said, ...added.filter((_, index) => !isOwnText(drafts[index]!.facts))]
    const entries = [...known]
    for (const [place, index] of indexes.entries()) entries[index] = own[place]
    return {
      entries,
      question: entries.at(-1) ?? own.at(-1) ?? standing ?? fail(nothingToAnswerError()),
    }
  }
  const records = (added: readonly Entry[]): readonly NewRecord[] =>
    taking.records?.question?.(placedWith(added).question) ?? []
  if (drafts.length === 0) {
    const { entries, question } = placedWith([])
    // The answer to a question that is recorded already must not end a wait.
    if (log.head !== null) checkBeside(await log.line(log.head))
    const kept = taking.records?.question?.(question) ?? []
    if (kept.length > 0) await appendOrThrowFenced(log.append([], { records: () => kept }))
    return { question, head: question, entries, answered: undefined }
  }
  const { appended, recorded } = await appending(log, drafts, {
    after,
    ...(taking.records?.question && { records }),
  })
  const { entries, question } = placedWith(appended)
  return { question, head: appended.at(-1)!, entries, answered: undefined, recorded }

  /** Nothing of it is new. */
  async function askedAgain(question: Entry): Promise<RequestMatch> {
    const { known } = await reconciled(log, messages, compared)
    if (taking.onlySent && known.at(-1)?.id !== question.id) throw idTakenError()
    return allKnown(known.with(-1, question))
  }

  async function placeOf(): Promise<RequestMatch> {
    if (!taking.alone) return among(log, messages, compared)
    // With `after`, the same message gets the same id, so the log recognises it on its own.
    const again =
      taking.retry && taking.after === undefined ? await saidLast(log, draftsOf(messages, false, taking)) : undefined
    if (again) return allKnown(again)
    await log.past.reach(taking.after ?? log.head)
    return behind(taking.after ?? log.head, messages)
  }
}

/**
 * Where the messages belong: the entry that they follow, the new ones with their indexes, and the entries of the
 * others.
 */
interface RequestMatch {
  readonly after: string | null
  readonly fresh: readonly Message[]
  readonly indexes: readonly number[]
  readonly known: readonly (Entry | undefined)[]
}

/** Finds the place of a history in the log. */
async function among(log: LiveLog, messages: readonly Message[], compared: ReconcileOptions): Promise<RequestMatch> {
  const { parent, known, fresh, indexes } = await reconciled(log, messages, compared)
  const after = parent?.id ?? null
  const again = compared.demoted ? [] : saidAgain(await textsUpTo(log, after), known)
  if (again.length === 0) return { after, known, fresh, indexes }
  const repeated = new Set(again)
  const places = new Map(
    [
      ...indexes.map((index, at) => [index, fresh[at]!] as const),
      ...again.map((index) => [index, messages[index]!] as const),
    ].toSorted(([left], [right]) => left - right),
  )
  return {
    after,
    fresh: [...places.values()],
    indexes: [...places.keys()],
    known: known.map((entry, index) => (repeated.has(index) ? undefined : entry)),
  }
}

/** Compares the messages with the log: with the end of it that is loaded, and with as much before that as is needed. */
async function reconciled(
  log: LiveLog,
  messages: readonly Message[],
  compared: ReconcileOptions,
): Promise<Reconciliation> {
  for (;;) {
    const { start, before, landmarks: systems } = log.past
    if (!start) return inSlices(reconciling(messages, log.entries, compared), log.pause)
    const { head, seq, landmarks } = start
    const part = systems && landmarks && { from: before[0]?.seq ?? seq + 1, head, landmarks, systems }
    const loaded = [...before, ...log.entries]
    const found = part ? await inSlices(matching(messages, loaded, compared, part), log.pause) : 'whole'
    if (typeof found === 'object') return found
    await (found === 'earlier' ? log.past.earlier(2 * messages.length) : log.past.whole())
  }
}

/** The system texts of a branch, also those among the landmarks: the newest of each key. */
export async function textsUpTo(log: LiveLog, head: string | null): Promise<readonly Entry[]> {
  if (head === null) return []
  const found = await log.line(head, (branch) => {
    const { start, landmarks } = log.past
    return start && !landmarks ? undefined : [...(landmarks ?? []), ...branch].filter(isSystemText)
  })
  if (found) return found
  await log.past.whole()
  return textsUpTo(log, head)
}

/**
 * The indexes of opening system messages that are recorded, but were replaced by another text since: they must be
 * recorded again.
 */
function saidAgain(recorded: readonly Entry[], known: readonly (Entry | undefined)[]): readonly number[] {
  const texts = new Map(recorded.map(({ key, text }) => [key, text]))
  const first = known.findIndex((entry) => entry && entry.kind !== 'system')
  return [...known.slice(0, first < 0 ? undefined : first).entries()].flatMap(([place, entry]) => {
    const newest = texts.get(openingKey(place))
    return entry && newest !== undefined && newest !== entry.text ? [place] : []
  })
}

/** All messages are new, and follow `after`. */
function behind(after: string | null, messages: readonly Message[]): RequestMatch {
  return { after, fresh: messages, indexes: [...messages.keys()], known: messages.map(() => undefined) }
}

function allKnown(known: readonly (Entry | undefined)[]): RequestMatch {
  return { after: known.at(-1)?.id ?? null, known, fresh: [], indexes: [] }
}

/** Resolves as soon as the drafts have their places in the log, and `recorded` when they are on the disk. */
function appending(
  log: LiveLog,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
): Promise<{ readonly appended: readonly StoredEntry[]; readonly recorded: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const placed = (appended: readonly StoredEntry[]): void => resolve({ appended, recorded })
    const recorded = appendOrThrowFenced(log.append(drafts, { ...options, placed }))
    recorded.then(placed, reject)
  })
}

/** For each index, the key of its message if it is one of the system messages at the beginning of the history. */
function openingOf(messages: readonly Message[], indexes: readonly number[]): readonly (string | undefined)[] {
  const end = messages.findIndex((message) => kindOf(message) !== 'system')
  return indexes.map((index) => (end < 0 || index < end ? openingKey(index) : undefined))
}

/** The entries of these messages if the newest branch ends with them, or with an answer to them. */
async function saidLast(log: LiveLog, drafts: readonly EntryDraft[]): Promise<readonly StoredEntry[] | undefined> {
  const branch = await log.line(log.head)
  const chain = branch.filter((entry) => traits[entry.kind].chained && !isOwnText(entry))
  const ends = [chain, chain.slice(0, chain.findLastIndex(({ kind }) => kind !== 'assistant') + 1)]
  if (log.past.start && ends.some(({ length }) => length < drafts.length)) {
    await log.past.whole()
    return saidLast(log, drafts)
  }
  const isSaid = (entry: Entry, { message }: EntryDraft): boolean =>
    entry.kind === kindOf(message) && isSaying(entry, message)
  return ends
    .map((entries) => entries.slice(-drafts.length))
    .find(
      (entries) => entries.length === drafts.length && entries.every((entry, index) => isSaid(entry, drafts[index]!)),
    )
}

/**
 * The drafts of the messages. All are imported, except for the user's own message at the end. A system message that
 * counts as a user's words has the speaker `demotedBy`.
 */
function draftsOf(
  messages: readonly Message[],
  isAsked: boolean,
  { id, trusted = false }: RequestOptions,
  opening: readonly (string | undefined)[] = [],
): EntryDraft[] {
  const key = id === undefined ? {} : { key: senderKey(id) }
  return asImported(messages, trusted).map((draft, index) => {
    const isLast = isAsked && index === messages.length - 1
    const isDemoted = draft.message !== messages[index]
    if (isDemoted) return { ...draft, facts: { ...draft.facts, speaker: demotedBy, ...(isLast && key) } }
    if (isLast && kindOf(draft.message) !== 'system') return saidNow(draft.message, key)
    return opening[index] === undefined ? draft : { ...draft, facts: { ...draft.facts, key: opening[index] } }
  })
}

/**
 * Adds the thread's own system text. If no message is new, it follows the last one: the newest text of a branch is
 * always that of its request.
 */
async function withSystem(
  log: LiveLog,
  after: string | null,
  drafts: readonly EntryDraft[],
  system: string | undefined,
): Promise<readonly EntryDraft[]> {
  if (system === undefined || (after === null && drafts.length === 0)) return drafts
  return withSystemText(drafts, (await textsUpTo(log, after)).findLast(isOwnText)?.text, system)
}

/**
 * Where drafts can be recorded. The same message in the same place has the same id, so one that was erased does not
 * come back there. With `alone` a client says all of it now: it follows what is left of the erased messages. A history
 * may contain it only because its client keeps everything, so it is refused.
 */
async function sayable(
  log: LiveLog,
  after: string | null,
  drafts: readonly EntryDraft[],
  { alone = false }: RequestOptions,
): Promise<{ readonly after: string | null; readonly drafts: readonly EntryDraft[]; readonly said: readonly Entry[] }> {
  if (!(await wasErased(log, drafts, { after }))) return { after, drafts, said: [] }
  const recorded = await log.said(drafts, { after })
  const first = recorded.findIndex(({ status }) => status === 'erased')
  const place = lastErased(log.entries, recorded[first]!.id)
  const rest = drafts.slice(first)
  if (!alone || (await wasErased(log, rest, { after: place }))) throw erasedBeforeError()
  const said = recorded.slice(0, first).filter((_, index) => !isOwnText(drafts[index]!.facts))
  return { after: place, drafts: rest, said }
}

/** The entry with this id. Undefined if the log does not have it. */
async function entryAt(log: LiveLog, id: string | null): Promise<Entry | undefined> {
  const isAt = (entry: Entry): boolean => entry.id === id
  const loaded = log.past.before.find(isAt) ?? log.entries.find(isAt)
  return loaded ?? (id === null ? undefined : log.stored.find(id))
}

/** The newest of the erased entries that follow each other from this one on. No erased entry follows it. */
function lastErased(log: readonly Entry[], first: string): string {
  const erased = new Set([first])
  let last = first
  for (const { id, parent, kind, status } of log) {
    if (status !== 'erased' || !traits[kind].chained || !erased.has(parent ?? '')) continue
    erased.add(id)
    last = id
  }
  return last
}

function nothingToAnswerError(): MinutebookError {
  return new MinutebookError(
    'nothing_to_answer',
    'There is nothing to answer.',
    'Relay at least one message that is not a note.',
  )
}

/** A question that was asked under this id before. */
export interface EarlierRequest {
  readonly question: Entry
  /** The finished answer that the question got under this id, and its receipt. */
  readonly answered: Entry | undefined
  readonly receipt: KeptReceipt | undefined
}

/** Returns undefined if the id is unknown. An entry keeps its first id; later ids are in its receipts. */
function findRequest(log: readonly Entry[], id: string): EarlierRequest | undefined {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const receipts = log.filter((entry) => isReceipt(entry) && receiptFrom(entry).key === id)
  const finished = receipts.findLast(
    (entry) => finishOf(receiptFrom(entry)) !== undefined && byId.get(entry.parent ?? '')?.kind === 'assistant',
  )
  const question =
    log.find(({ kind, key, status }) => key === senderKey(id) && questions.has(kind) && status !== 'erased') ??
    questionOf(receipts.at(-1), byId)
  return (
    question && {
      question,
      answered: finished && byId.get(finished.parent ?? ''),
      receipt: finished && receiptFrom(finished),
    }
  )
}

/** What a call answered: the thread's own system text may follow it. */
function questionOf(receipt: Entry | undefined, byId: ReadonlyMap<string, Entry>): Entry | undefined {
  let entry = receipt && byId.get(receiptFrom(receipt).head)
  while (entry && isOwnText(entry)) entry = byId.get(entry.parent ?? '')
  return entry
}

/** The kinds of entry whose key may be a client's id. The key of a system entry is always one of ours. */
const questions: ReadonlySet<string> = new Set(['user', 'tool', 'assistant'])
