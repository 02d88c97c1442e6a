import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { canonicalJson, isTooDeep } from '../log/json.ts'
import type { LiveLog } from '../past/live-log.ts'
import { needsRunner, newestTurn, turnOf } from '../log/next.ts'
import { checkNames, type OptionNames } from '../log/options.ts'
import {
  callPosition,
  callStandings,
  decisionDraft,
  decisionIn,
  nextDeadline,
  overdueCalls,
  waitingCalls,
  waitingRecords,
  waitingRemovals,
  type CallPosition,
  type Decision,
  type DecisionChannel,
  type OpenCall,
  type KeptDecision,
} from '../log/open-call.ts'
import type { StoredEntry } from '../log/store.ts'
import { askTurn, runOptions, type RunOptions } from './ask-turn.ts'
import { waking, type RecordResult, type RequestContext } from './record-message.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { ThreadHandle } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import type { Turn } from './turn.ts'

/** Who decides, and how the turn then goes on. */
export interface DecisionOptions extends RunOptions {
  /** The name of the person who decides, as your caller gives it. It is recorded as a claim: nobody checks it. */
  readonly by?: string | undefined
  /** Through which login the decision came, as your program knows it. It is recorded with the decision. */
  readonly via?: DecisionChannel | undefined
  /** False if this caller may not decide about calls that need approval: `may_not_approve`. Default: true. */
  readonly mayApprove?: boolean | undefined
}

const decisionOptions: OptionNames<DecisionOptions> = { ...runOptions, by: true, via: true, mayApprove: true }

/**
 * How does a turn go on that waits? Records a decision about one of its open calls, once, and runs the turn on. If
 * others of its calls still wait, the turn waits again.
 */
export function decide(handle: ThreadHandle, id: string, decision: Decision, options: DecisionOptions): Turn {
  checkNames('thread.decide', options, decisionOptions)
  const place = callPosition(id)
  if (!place) throw notWaitingError(id)
  const { by, via, mayApprove = true } = options
  const made = { place, id, decision: checked(decision), by, via, mayApprove }
  return askTurn(handle, options, {
    admission: { ifBusy: 'queue' },
    pend: async (context) => {
      await handle.refresh()
      await recordDecision(context, made)
    },
    put: (context) => recordDecision(context, made),
  })
}

interface NewDecision extends Pick<KeptDecision, 'decision' | 'by' | 'via'> {
  readonly place: CallPosition
  readonly id: string
  readonly mayApprove: boolean
}

/** Records the decision, and returns the turn that it is for. The second decision about a call is told the first. */
async function recordDecision(context: RequestContext, made: NewDecision): Promise<RecordResult> {
  const { log } = context.handle
  const { place, id, decision, mayApprove } = made
  for (;;) {
    const wait = await findWait(log, place)
    const first = decisionOf(log, wait, place.index)
    if (first && !isSame(first, decision)) throw alreadyDecidedError(id, first)
    const asked = newestTurn(log.branch(wait.parent))[0]!
    if (first) return goOn(context, asked, wait.seq)
    const open = openCall(log, id)
    if (!open) throw notWaitingError(id)
    if (open.needs === 'approval' && !mayApprove) throw mayNotApproveError(open)
    // It came too late: the next round finds the refusal, and tells of it.
    if ((await refuseOverdue(context)).includes(id)) continue
    checkFits(open, decision)
    await checkInput(context, open, decision)
    const entry = await writeDecision(context, open, place, made)
    if (entry) return goOn(context, asked, entry.seq)
  }
}

/**
 * Refuses the calls of the newest turn that have waited too long, and returns their ids. The next who looks at the
 * thread does this: nothing waits with them. With a queue, it is woken for that (`wakeAtDeadline`).
 */
export async function refuseOverdue(context: RequestContext): Promise<readonly string[]> {
  const { log, clock } = context.handle
  for (const ids: string[] = []; ;) {
    const [open] = overdueCalls(log.position.turn, clock.now())
    const place = open && callPosition(open.id)
    if (!place) return ids
    ids.push(open.id)
    const refused: Decision = { do: 'refuse', reason: `no decision within ${open.within} ms` }
    await writeDecision(context, open, place, { decision: refused })
  }
}

/** Has the queue wake a thread when the first of its open calls must be refused. `turn`: the newest of the thread. */
export async function wakeAtDeadline(queue: TurnQueue, thread: string, turn: readonly Entry[]): Promise<void> {
  const deadline = nextDeadline(turn)
  if (deadline !== undefined) await queue.wakeAt(thread, deadline)
}

/**
 * Writes a decision if the call is still listed as waiting, and takes it off the list. Returns undefined if it was not:
 * then the log is read again, and tells why.
 */
async function writeDecision(
  context: RequestContext,
  open: OpenCall,
  place: CallPosition,
  made: Pick<KeptDecision, 'decision' | 'by' | 'via'>,
): Promise<StoredEntry | undefined> {
  const { log, store, runsHere, refresh } = context.handle
  const { parent: issuer } = await findWait(log, place)
  const appended = await log.append([decisionDraft(place, made, log.entries)], {
    after: issuer,
    records: () => waitingRemovals([open.id], 1),
    ...(!runsHere && { write: waking(context, log.position.turn[0]?.id) }),
  })
  if (appended.ok) return appended.entries[0]
  await refresh()
  // Undecided, but not listed: a copy of the thread was made without its records.
  const isWaiting = waitingCalls(log.position.turn).some(({ id }) => id === open.id)
  const listed = waitingRecords([open]).map((record) => ({ ...record, expected: 0 }))
  if (isWaiting) await store.records.put(log.thread, listed)
  return undefined
}

/** The turn, if there is something to run now, or else its result. `from`: the seq from which clients follow it. */
function goOn({ handle: { log }, control }: RequestContext, asked: StoredEntry, from: number): RecordResult {
  control.record(asked, from)
  const { turn, step } = log.position
  if (turn[0]?.id === asked.id && step && needsRunner(step)) return { asked, since: log.length - 1 }
  return resultOf(turn[0]?.id === asked.id ? turn : turnOf(log.entries, asked))
}

async function findWait(log: LiveLog, { wait: id, index }: CallPosition): Promise<StoredEntry> {
  const isHere = (entry: StoredEntry): boolean => entry.id === id && entry.kind === 'wait'
  if (!log.entries.some(isHere)) await log.past.whole()
  const wait = log.entries.find(isHere)
  if (!wait) throw notWaitingError(`${id}.${index}`)
  return wait
}

/** The decision about a call that was written after its wait and before the model was called again. */
function decisionOf(log: LiveLog, wait: StoredEntry, index: number): KeptDecision | undefined {
  return log
    .since(wait.seq)
    .filter(({ parent, text }) => parent === wait.parent && text.includes(wait.id))
    .map(decisionIn)
    .find((made) => made?.index === index)?.taken
}

function openCall(log: LiveLog, id: string): OpenCall | undefined {
  return callStandings(log.position.turn).find(({ gate }) => gate?.id === id)?.gate
}

function isSame({ decision }: KeptDecision, other: Decision): boolean {
  return canonicalJson(decision) === canonicalJson(other)
}

/** The decision as it is recorded: plain JSON, with no fields but its own. */
function checked(decision: Decision): Decision {
  const given = Object(decision) as { readonly [name: string]: unknown }
  const fields = decisionFields.get(given['do'])
  const isKnown = fields && Object.keys(given).every((name) => name === 'do' || fields.includes(name))
  const isText = given['reason'] === undefined || typeof given['reason'] === 'string'
  if (!isKnown || !isText || isTooDeep(decision) || (given['do'] === 'answer' && given['output'] === undefined))
    throw new MinutebookError(
      'invalid_decision',
      'This is not a decision about a call.',
      'Pass { do: "run", input? }, { do: "refuse", reason? } or { do: "answer", output }.',
    )
  return JSON.parse(JSON.stringify(decision)) as Decision
}

const decisionFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['run', ['input']],
  ['refuse', ['reason']],
  ['answer', ['output']],
])

/** A client must not make up the result of a tool that runs here, and a tool without `run` cannot run. */
function checkFits({ needs, call }: OpenCall, { do: decided }: Decision): void {
  if (decided === 'refuse' || decided === (needs === 'approval' ? 'run' : 'answer')) return
  throw new MinutebookError(
    'invalid_decision',
    needs === 'approval'
      ? `The call of ${call.name} waits for approval, so it cannot be answered.`
      : `The tool ${call.name} is not run here, so its call can only be answered.`,
    needs === 'approval'
      ? 'Pass { do: "run" } or { do: "refuse" }.'
      : 'Pass { do: "answer", output } or { do: "refuse" }.',
  )
}

/** A decision counts once, so arguments that the tool would refuse are refused before they are recorded. */
async function checkInput({ handle }: RequestContext, { call }: OpenCall, decision: Decision): Promise<void> {
  if (decision.do !== 'run' || decision.input === undefined) return
  const schema = handle.config().tools.find(({ name }) => name === call.name)?.input
  const { issues } = (await schema?.['~standard'].validate(decision.input)) ?? {}
  if (!issues) return
  throw new MinutebookError(
    'invalid_decision',
    `The input does not fit the tool ${call.name}: ${issues.map(({ message }) => message).join(' ')}`.slice(0, 2000),
    'Pass arguments that fit its schema. The call still waits.',
  )
}

function mayNotApproveError({ id, call: { name } }: OpenCall): MinutebookError {
  return new MinutebookError(
    'may_not_approve',
    `The call of ${name} needs approval, and this caller may not approve calls.`,
    'Let somebody decide who may approve calls. At a server: with an admin key, or a key with "decide: true".',
    { call: id },
  )
}

function notWaitingError(call: string): MinutebookError {
  return new MinutebookError(
    'not_waiting',
    'No call with this id waits on this thread. Its turn may have ended without a decision.',
    'Pass the id of a call in `waiting`: of the result of the turn, or of thread.waiting().',
    { call },
  )
}

function alreadyDecidedError(call: string, { decision, by, via, time }: KeptDecision): MinutebookError {
  return new MinutebookError(
    'already_decided',
    `There is a decision about this call already: ${decision.do}.`,
    'The first decision counts. It is in the details of this error.',
    { call, decision, ...(by !== undefined && { by }), ...(via && { via }), ...(time !== undefined && { time }) },
  )
}
