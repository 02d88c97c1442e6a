import { MinutebookError } from '../log/error.ts'
import type { Appended, StoredEntry } from '../log/store.ts'
import { checkSent, lastOf, place, reachPlace, type Sent } from '../incoming/placement.ts'
import type { Draft } from '../record/draft.ts'
import type { AppendOptions, LiveLog } from '../record/live-log.ts'
import { newestTurn, next } from '../record/next.ts'
import { retryDraft } from '../record/retry-entry.ts'
import { madeKey, senderKey } from '../record/sender-key.ts'
import { busy, failureOf } from '../turn/drive.ts'
import { erasedBefore } from '../turn/erased.ts'
import type { RunOptions } from '../turn/resume.ts'
import { idTaken, isSaying, takenBack, type SendOptions } from '../turn/send.ts'
import { createTurn, type Turn, type TurnControl, type TurnResult } from '../turn/turn.ts'
import { attend, type Awaited } from './attend.ts'
import { cancelTurn } from './cancel-turn.ts'
import { glances } from './glances.ts'
import type { Hosted } from './hosted.ts'
import { isAtWork } from './observe.ts'
import { closeForeignCalls } from './foreign-calls.ts'
import { stir } from './stir.ts'

/** Records a message, wakes whoever can answer it, and follows the turn. What the caller does wrong is thrown at once. */
export function post(hosted: Hosted, sent: Sent, options: SendOptions): Turn {
  checkSent(sent)
  return attended(options, async (control) => {
    // In turn, too: nobody is overtaken while a key is made.
    const key = await hosted.inTurn(async () => (options.id === undefined ? madeKey(await hosted.unique()) : senderKey(options.id)))
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
export function attended({ signal, tools }: RunOptions, work: (control: TurnControl) => Promise<TurnResult>): Turn {
  if (tools) throw new MinutebookError('tools_stay', 'Tools cannot go along with a turn that an engine runs; pass them to openBook, or to book.work({ options }).')
  const control = createTurn(signal)
  const run = async (): Promise<TurnResult> => work(control)
  void run().catch(failureOf).then((result) => control.end(result))
  return control.turn
}

interface Posting {
  readonly sent: Sent
  readonly options: SendOptions
  readonly key: string
}

/** What became of a message: it is on record, or cannot be; must wait unrecorded; or others were faster, and all must be read again. */
export type Put = Awaited | TurnResult | 'wait' | 'again'

async function putOnRecord(hosted: Hosted, posting: Posting): Promise<Put> {
  const { log } = hosted
  await hosted.refresh()
  await reachPlace(posting.sent, log, posting.options.after)
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
  if (keyed[0] && !isSaying(keyed[0], sent)) throw idTaken()
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
  const { after, drafts } = place(sent, log, { after: options.after, facts, trusted: options.trusted ?? false, system: hosted.system })
  if (log.isErased(drafts, { after })) throw erasedBefore()
  const said = log.said(drafts, { after })
  // It stands there already: what is wanted is another answer.
  if (said.length === drafts.length) return askAgain(hosted, [], said.at(-1) ?? after ?? undefined)
  log.checkRoom(drafts)
  const asked = lastIn(await log.append(drafts, { after, expected: log.tip, write: hosted.wake, ...withRecords(options) }))
  // Someone said the same words in the same place at the same time: they are theirs.
  return asked?.key === key ? { asked, since: asked.seq } : 'again'
}

/** Asks for another answer to an entry, behind `results` of its open calls where there are any. */
export async function askAgain({ log, wake }: Hosted, results: readonly Draft[], place: StoredEntry | string | undefined): Promise<Put> {
  const after = typeof place === 'object' ? place.id : place
  const retry = lastIn(await log.append([...results, retryDraft(log)], { ...(after !== undefined && { after }), expected: log.tip, write: wake }))
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
  if (ifBusy === 'interrupt' && running && isAtWork(log, running)) void cancelTurn(hosted, running).catch(() => undefined)
  // Whoever admits it would not know where it belongs.
  if (Array.isArray(sent) || after !== undefined) return 'wait'
  const draft: Draft = { message: lastOf(sent), facts: { kind: 'pending', key, ...(speaker !== undefined && { speaker }) } }
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
  for await (const _ of glances(hosted, signal)) if (next(hosted.log.branch(), hosted.log.entries).do === 'rest') return
}
