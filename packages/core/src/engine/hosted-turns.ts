import { madeKey, retryDraft, senderKey, type EntryDraft } from '../log/draft.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { AppendOptions, LiveLog } from '../log/log.ts'
import { readMessage, type Message } from '../log/message.ts'
import { isUnfinished, newestTurn, next, openCalls } from '../log/next.ts'
import type { Appended, StoredEntry } from '../log/store.ts'
import { asImported, checkSent, lastOf, placeMessages, loadPlace, type Sent } from '../turns/place-messages.ts'
import { nothingToAnswer, type RunOptions } from '../turns/resume.ts'
import { adoptBusy, idTakenError, isSaying, takenBack, type SendOptions } from '../turns/send.ts'
import { busy, failureOf } from '../turns/start-turn.ts'
import { closingDrafts, erasedBeforeError, interruptedByNext, stopDrafts } from '../turns/stop-turn.ts'
import { createTurn, resultOf, type StopReason, type Turn, type TurnControl, type TurnResult } from '../turns/turn.ts'
import { attend, cancelTurn, type Awaited } from './await-turn.ts'
import { pollLog, isAtWork } from './follow.ts'
import type { Hosted } from './run-woken.ts'

/** Has the newest user entry answered again, by whoever is woken: where its turn is unfinished, it goes on. */
export function retryHosted(hosted: Hosted, options: RunOptions): Turn {
  return attended(options, async (control) => {
    for (;;) {
      if (control.signal.aborted) return takenBack
      const put = await hosted.inTurn(() => putRetry(hosted))
      if (put !== 'again' && put !== 'wait') return 'status' in put ? put : attend(hosted, control, put)
    }
  })
}

async function putRetry(hosted: Hosted): Promise<Put> {
  const { log } = hosted
  await hosted.refresh()
  const turn = newestTurn(log.branch())
  const [asked] = turn
  if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswer()
  if (isUnfinished(turn)) {
    await hosted.wake(hosted.thread, [])
    return standingTurn(hosted)
  }
  if (next(log.branch(), log.entries).do === 'admit') return busy()
  return resultOf(turn).answer === null
    ? askAgain(hosted, closingDrafts(log, true), undefined)
    : askAgain(hosted, [], asked)
}

/** Follows what is unfinished, then what waits, until the thread rests; wakes it first. */
export function resumeHosted(hosted: Hosted, options: RunOptions): Turn {
  return attended(options, async (control) => {
    const { log } = hosted
    let result: TurnResult | undefined
    for (;;) {
      await hosted.refresh()
      const coming = next(log.branch(), log.entries)
      if (coming.do === 'rest') return resultOf(newestTurn(log.branch()))
      if (result && control.signal.aborted) return result
      if (!result) await hosted.wake(hosted.thread, [])
      result = await attend(hosted, control, coming.do === 'admit' ? { pending: coming.pending } : standingTurn(hosted))
    }
  })
}

/** The turn that the thread stands in, from here on. */
function standingTurn({ log }: Hosted): Awaited {
  return { asked: newestTurn(log.branch())[0]!, since: log.length - 1 }
}

/**
 * Records a message, wakes whoever can answer it, and follows the turn. What the caller does wrong is thrown at once.
 */
export function post(hosted: Hosted, sent: Sent, options: SendOptions): Turn {
  checkSent(sent)
  return attended(options, async (control) => {
    // In turn, too: nobody is overtaken while a key is made.
    const key = await hosted.inTurn(async () =>
      options.id === undefined ? madeKey(await hosted.unique()) : senderKey(options.id),
    )
    const posting: Posting = { sent, options, key }
    for (;;) {
      if (control.signal.aborted) return takenBack
      const put = await hosted.inTurn(() => putOnRecord(hosted, posting))
      if (put === 'wait') await rest(hosted, control.signal)
      else if (put !== 'again') return 'status' in put ? put : attend(hosted, control, put)
    }
  })
}

/** A turn that others run: here it is only followed. */
function attended({ signal, tools }: RunOptions, work: (control: TurnControl) => Promise<TurnResult>): Turn {
  if (tools)
    throw new MinutebookError(
      'tools_stay',
      'Tools cannot go along with a turn that an engine runs; pass them to openBook, or to book.work({ options }).',
    )
  const control = createTurn(signal)
  const run = async (): Promise<TurnResult> => work(control)
  void run()
    .catch(failureOf)
    .then((result) => control.end(result))
  return control.turn
}

interface Posting {
  readonly sent: Sent
  readonly options: SendOptions
  readonly key: string
}

/**
 * What became of a message: it is on record, or cannot be; must wait unrecorded; or others were faster, and all must be
 * read again.
 */
type Put = Awaited | TurnResult | 'wait' | 'again'

async function putOnRecord(hosted: Hosted, posting: Posting): Promise<Put> {
  const { log } = hosted
  await hosted.refresh()
  await loadPlace(posting.sent, log, posting.options.after)
  const { length } = log
  const known = await knownAs(hosted, posting)
  const rests = next(log.branch(), log.entries).do === 'rest'
  if (!rests) await stir(hosted)
  if (known) return known
  if (rests && (await closeForeignCalls(hosted))) return 'again'
  // What was looked up is not what stands here by now: the same message may have been said meanwhile.
  if (log.length !== length) return 'again'
  return rests ? say(hosted, posting) : queue(hosted, posting)
}

/** What the sender's own id stands for already. */
async function knownAs({ log }: Hosted, { sent, options, key }: Posting): Promise<Awaited | undefined> {
  const keyed = options.id === undefined ? [] : await log.sentAs(key)
  // The oldest has the id: two that came at once may both be waiting.
  if (keyed[0] && !isSaying(keyed[0], sent)) throw idTakenError()
  const asked = keyed.find(({ kind }) => kind === 'user')
  if (asked) return { asked, since: asked.seq }
  const pending = keyed.find((entry) => !isRevoked(log, entry))
  return pending && { pending }
}

function isRevoked(log: LiveLog, { id, seq }: StoredEntry): boolean {
  return log.since(seq).some(({ kind, text }) => kind === 'revocation' && text === id)
}

/** The thread rests: the message goes on the chain, unless someone else's is faster. */
async function say(hosted: Hosted, { sent, options, key }: Posting): Promise<Put> {
  const { log } = hosted
  const facts = { key, ...(options.speaker !== undefined && { speaker: options.speaker }) }
  const { after, drafts } = placeMessages(sent, log, {
    after: options.after,
    facts,
    trusted: options.trusted ?? false,
    system: hosted.system,
  })
  if (log.isErased(drafts, { after })) throw erasedBeforeError()
  const said = log.said(drafts, { after })
  // It stands there already: what is wanted is another answer.
  if (said.length === drafts.length) return askAgain(hosted, [], said.at(-1) ?? after ?? undefined)
  log.checkRoom(drafts)
  const asked = lastIn(
    await log.append(drafts, { after, expected: log.tip, write: hosted.wake, ...withRecords(options) }),
  )
  // Someone said the same words in the same place at the same time: they are theirs.
  return asked?.key === key ? { asked, since: asked.seq } : 'again'
}

/** Asks for another answer to an entry, behind `results` of its open calls where there are any. */
async function askAgain(
  { log, wake }: Hosted,
  results: readonly EntryDraft[],
  place: StoredEntry | string | undefined,
): Promise<Put> {
  const after = typeof place === 'object' ? place.id : place
  const retry = lastIn(
    await log.append([...results, retryDraft(log.entries)], {
      ...(after !== undefined && { after }),
      expected: log.tip,
      write: wake,
    }),
  )
  const asked = newestTurn(log.branch())[0]
  return retry && asked ? { asked, since: retry.seq, again: true } : 'again'
}

function lastIn(appended: Appended): StoredEntry | undefined {
  return appended.ok ? appended.entries.at(-1) : undefined
}

async function queue(hosted: Hosted, { sent, options, key }: Posting): Promise<Put> {
  const { log, wake } = hosted
  const { ifBusy = 'reject', after, speaker } = options
  const [running] = newestTurn(log.branch())
  if (ifBusy === 'reject') return busy('send with ifBusy "queue" or "interrupt", or wait for it')
  if (ifBusy === 'interrupt' && running && isAtWork(log, running))
    void cancelTurn(hosted, running).catch(() => undefined)
  // Whoever admits it would not know where it belongs.
  if (Array.isArray(sent) || after !== undefined) return 'wait'
  const draft: EntryDraft = {
    message: lastOf(sent),
    facts: { kind: 'pending', key, ...(speaker !== undefined && { speaker }) },
  }
  // Said here before, and taken back.
  if (log.said([draft]).length > 0) return 'wait'
  log.checkRoom([draft])
  const pending = lastIn(await log.append([draft], { write: wake, ...withRecords(options) }))
  return pending ? { pending } : 'again'
}

function withRecords({ records = [] }: SendOptions): Pick<AppendOptions, 'records'> {
  return records.length === 0 ? {} : { records: () => records }
}

async function rest(hosted: Hosted, signal: AbortSignal): Promise<void> {
  for await (const _ of pollLog(hosted, signal)) if (next(hosted.log.branch(), hosted.log.entries).do === 'rest') return
}

const unanswered: StopReason = { status: 'cancelled', code: 'adopted', reason: 'This was recorded without an answer.' }

/**
 * Puts messages from elsewhere on record, on a thread that rests and goes on resting. Throws `busy` where it does not.
 */
export function adoptHosted(
  hosted: Hosted,
  messages: readonly Message[],
  trusted: boolean,
): Promise<readonly StoredEntry[]> {
  const { log } = hosted
  return hosted.inTurn(async () => {
    for (;;) {
      await hosted.refresh()
      if (next(log.branch(), log.entries).do !== 'rest') throw adoptBusy()
      if (messages.length > 0 && (await closeForeignCalls(hosted))) continue
      const drafts = asImported(messages, trusted)
      log.checkRoom(drafts)
      const appended = await log.append(
        [...drafts, ...(wantsAnswer(drafts) ? stopDrafts(log, { journal: false }, unanswered) : [])],
        { expected: log.tip },
      )
      if (appended.ok) return appended.entries.slice(0, drafts.length)
    }
  })
}

/** Whoever is woken next would answer it. */
function wantsAnswer(drafts: readonly EntryDraft[]): boolean {
  const spoken = drafts.map(({ message }) => readMessage(message).kind).findLast((kind) => kind !== 'system')
  return spoken === 'user' || spoken === 'tool'
}

/** Milliseconds without a new entry after which a turn may have been given up. */
const longQuiet = 10_000

/**
 * Wakes a thread whose turn is unfinished and has not been heard of for long: a run that could not go on does not block
 * it for good.
 */
async function stir({ log, wake, clock, thread }: Hosted): Promise<void> {
  const time = log.entries.at(-1)?.time
  const quiet = time === undefined ? Infinity : Date.parse(clock.now()) - Date.parse(time)
  if (!(quiet < longQuiet)) await wake(thread, [])
}

/**
 * Closes calls that a resting thread ends with: nobody runs what came from elsewhere, and no message may come between
 * calls and their results. False where there are none.
 */
async function closeForeignCalls({ log, journal }: Hosted): Promise<boolean> {
  if (openCalls(log.branch()).length === 0) return false
  await log.append([...closingDrafts(log, true), ...stopDrafts(log, { journal }, interruptedByNext)], {
    expected: log.tip,
  })
  return true
}
