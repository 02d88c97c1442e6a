import { isOwnText, isSystemText, openingKey, senderKey, systemDraft, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from '../log/log.ts'
import { readMessage, type Message } from '../log/message.ts'
import type { NewRecord } from '../log/records.ts'
import { inSlices } from '../log/steps.ts'
import type { StoredEntry } from '../log/store.ts'
import { isReceipt, receiptFrom } from '../receipts/receipt.ts'
import { demotedBy } from '../turns/conversation-tree.ts'
import { asImported, newestText, saidNow } from '../turns/place-messages.ts'
import { reconciling, type ReconcileOptions } from '../turns/reconcile.ts'
import { idTakenError, isSaying } from '../turns/send.ts'
import { erasedBeforeError, appendOrThrowFenced } from '../turns/stop-turn.ts'

/** How a client's messages are taken. */
export interface Taking {
  /**
   * The client's own id for the request: under the same one there is no second question, and a finished answer is found
   * again.
   */
  readonly id?: string | undefined
  /** These messages were relayed before: another call on the same question. */
  readonly retry?: boolean | undefined
  /** Vouches for the client's system messages; without it they count as a user's words. */
  readonly trusted?: boolean | undefined
  /** They are no history: all of them go behind the newest branch, or behind `after`. */
  readonly alone?: boolean | undefined
  /** The entry that messages follow which are no history. */
  readonly after?: string | undefined
  /** Records of the thread that are written together with what they speak of: all or nothing. */
  readonly records?: RelayRecords | undefined
}

/** What a program keeps of a relay. Each is asked when the entry is about to be written, or stands there already. */
export interface RelayRecords {
  question?(question: Entry): readonly NewRecord[]
  /** What came of it: the entry that its receipt hangs off, and the answer, whole or in part, if there is one. */
  ending?(ending: { readonly at: string; readonly answer: Entry | undefined }): readonly NewRecord[]
}

/** A client's messages, on record. */
export interface Placed {
  /** What the last of them is. */
  readonly question: Entry
  /** What the answer follows: the question, or system entries that came with it or are ours. */
  readonly head: Entry
  /** For each message, the entry that it is. */
  readonly entries: readonly (Entry | undefined)[]
  readonly answered: Entry | undefined
}

/** Puts on record what is new in a client's messages. The whole log must be known. */
export async function placeRelayed(
  log: LiveLog,
  messages: readonly Message[],
  taking: Taking,
  system: string | undefined,
): Promise<Placed> {
  const compared = { known: true, trimmed: true, demoted: !taking.trusted }
  log.checkout()
  /** Writes what is kept of a question that stands there already. */
  const keep = async (question: Entry): Promise<void> => {
    const records = taking.records?.question?.(question) ?? []
    if (records.length > 0) await appendOrThrowFenced(log.append([], { records: () => records }))
  }
  const asked = taking.id === undefined ? undefined : findRequest(log.entries, taking.id)
  if (asked) {
    if (!isSaying(asked.question, messages.at(-1)!)) throw idTakenError()
    const { known } = await inSlices(reconciling(messages, log.entries, compared), log.pause)
    if (!asked.answered) await keep(asked.question)
    return { ...asked, head: asked.question, entries: known.with(-1, asked.question) }
  }
  // Behind an entry that is named, what is said again is the same entry.
  const again =
    taking.alone && taking.retry && taking.after === undefined
      ? saidLast(log, draftsOf(messages, false, taking))
      : undefined
  if (again) await keep(again.at(-1)!)
  if (again) return { question: again.at(-1)!, head: again.at(-1)!, entries: again, answered: undefined }
  const { after, fresh, known, indexes } = taking.alone
    ? behind(taking.after ?? log.head, messages)
    : await among(log, messages, compared)
  // What is said behind an entry that is named is no history, and opens nothing.
  const opening = taking.after === undefined ? openingOf(messages, indexes) : []
  const drafts = withSystem(
    log,
    after,
    draftsOf(fresh, indexes.at(-1) === messages.length - 1, taking, opening),
    system,
  )
  if (log.isErased(drafts, { after })) throw erasedBeforeError()
  log.checkRoom(drafts)
  const standing = log.entries.find(({ id }) => id === after)
  /** Each message's entry, and the last of them, once it is known what the new ones are. */
  const placedWith = <E extends Entry>(
    added: readonly E[],
  ): { readonly entries: readonly (Entry | undefined)[]; readonly question: Entry } => {
    const said = added.filter((_, index) => !isOwnText(drafts[index]!))
    const entries = [...known]
    for (const [place, index] of indexes.entries()) entries[index] = said[place]
    return { entries, question: entries.at(-1) ?? said.at(-1) ?? standing ?? nothing() }
  }
  const records = (added: readonly Entry[]): readonly NewRecord[] =>
    taking.records?.question?.(placedWith(added).question) ?? []
  const appended =
    drafts.length > 0
      ? await appendOrThrowFenced(log.append(drafts, { after, ...(taking.records?.question && { records }) }))
      : []
  const { entries, question } = placedWith(appended)
  if (drafts.length === 0) await keep(question)
  return { question, head: appended.at(-1) ?? question, entries, answered: undefined }
}

interface Found {
  readonly after: string | null
  readonly fresh: readonly Message[]
  readonly indexes: readonly number[]
  readonly known: readonly (Entry | undefined)[]
}

async function among(log: LiveLog, messages: readonly Message[], compared: ReconcileOptions): Promise<Found> {
  const { parent, known, fresh, indexes } = await inSlices(reconciling(messages, log.entries, compared), log.pause)
  const after = parent?.id ?? null
  const again = compared.demoted ? [] : saidAgain(after === null ? [] : log.branch(after), known)
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

/** The places of system messages that were taken back since: another text holds there by now. */
function saidAgain(branch: readonly Entry[], known: readonly (Entry | undefined)[]): readonly number[] {
  const texts = new Map(branch.filter(isSystemText).map(({ key, text }) => [key, text]))
  const first = known.findIndex((entry) => entry && entry.kind !== 'system')
  return [...known.slice(0, first < 0 ? undefined : first).entries()].flatMap(([place, entry]) => {
    const newest = texts.get(openingKey(place))
    return entry && newest !== undefined && newest !== entry.text ? [place] : []
  })
}

/** The key of each message at these places that is one of the system messages which the history opens with. */
function openingOf(messages: readonly Message[], indexes: readonly number[]): readonly (string | undefined)[] {
  const end = messages.findIndex((message) => readMessage(message).kind !== 'system')
  return indexes.map((index) => (end < 0 || index < end ? openingKey(index) : undefined))
}

function behind(after: string | null, messages: readonly Message[]): Found {
  return { after, fresh: messages, indexes: [...messages.keys()], known: messages.map(() => undefined) }
}

/** The entries that these messages are, where the newest branch ends with them, or with an answer to them. */
function saidLast(log: LiveLog, drafts: readonly EntryDraft[]): readonly StoredEntry[] | undefined {
  const chain = log.branch().filter(({ kind }) => traits[kind].chained)
  const ends = [chain, chain.slice(0, chain.findLastIndex(({ kind }) => kind !== 'assistant') + 1)]
  const isSaid = (entry: Entry, { message }: EntryDraft): boolean =>
    entry.kind === readMessage(message).kind && isSaying(entry, message)
  return ends
    .map((entries) => entries.slice(-drafts.length))
    .find(
      (entries) => entries.length === drafts.length && entries.every((entry, index) => isSaid(entry, drafts[index]!)),
    )
}

/**
 * All of them are words from elsewhere, but for the user's own at the end. What a client would have an operator say is
 * marked as its own.
 */
function draftsOf(
  messages: readonly Message[],
  isAsked: boolean,
  { id, trusted = false }: Taking,
  opening: readonly (string | undefined)[] = [],
): EntryDraft[] {
  const key = id === undefined ? {} : { key: senderKey(id) }
  return asImported(messages, trusted).map((draft, index) => {
    const isLast = isAsked && index === messages.length - 1
    const isDemoted = draft.message !== messages[index]
    if (isDemoted) return { ...draft, facts: { ...draft.facts, speaker: demotedBy, ...(isLast && key) } }
    if (isLast && readMessage(draft.message).kind !== 'system') return saidNow(draft.message, key)
    return opening[index] === undefined ? draft : { ...draft, facts: { ...draft.facts, key: opening[index] } }
  })
}

/** The thread's own system text goes before what is new, behind results. An empty one ends the one before. */
function withSystem(
  log: LiveLog,
  after: string | null,
  drafts: readonly EntryDraft[],
  system: string | undefined,
): readonly EntryDraft[] {
  if (
    system === undefined ||
    drafts.length === 0 ||
    (newestText(after === null ? [] : log.branch(after), log) ?? '') === system
  )
    return drafts
  const first = drafts.findIndex(({ message }) => readMessage(message).kind !== 'tool')
  return drafts.toSpliced(first < 0 ? drafts.length : first, 0, systemDraft(system))
}

function nothing(): never {
  throw new MinutebookError(
    'nothing_to_answer',
    'There is nothing to answer; relay at least one message that is not a note.',
  )
}

/** What was asked under an id before. */
export interface Asked {
  readonly question: Entry
  /** The finished answer that it got under this id. */
  readonly answered: Entry | undefined
}

/**
 * Undefined where nothing was. An entry has one id only; where a question was asked again under another, its receipts
 * tell.
 */
function findRequest(log: readonly Entry[], id: string): Asked | undefined {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const receipts = log.filter((entry) => isReceipt(entry) && receiptFrom(entry).key === id)
  const finished = receipts.findLast(
    (entry) => !cutShort.has(receiptFrom(entry).outcome) && byId.get(entry.parent ?? '')?.kind === 'assistant',
  )
  const question =
    log.find(({ kind, key, status }) => key === senderKey(id) && questions.has(kind) && status !== 'erased') ??
    headOf(receipts.at(-1), byId)
  return question && { question, answered: finished && byId.get(finished.parent ?? '') }
}

function headOf(receipt: Entry | undefined, byId: ReadonlyMap<string, Entry>): Entry | undefined {
  return receipt && byId.get(receiptFrom(receipt).head)
}

const cutShort: ReadonlySet<string> = new Set(['cancelled', 'failed', 'refused'])
/** What may have a client's id: a key on a system entry is one of our own. */
const questions: ReadonlySet<string> = new Set(['user', 'tool', 'assistant'])
