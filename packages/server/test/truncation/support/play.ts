import { Buffer } from 'node:buffer'
import { calibrated, type TokenCounter, type UsageSample } from 'minutebook'
import { createConversation, type Sized, type SizedPrompt } from './conversation.ts'
import { createReadCurves, type ReadCall } from '../../../src/truncation/truncation.ts'
import { findTruncation } from '../../../../core/src/receipts/truncation.ts'
import { diceOf } from '../../../../../tests/support/dice.ts'
import type { ServerKind } from './servers.ts'

/** What came of the conversations with one kind of server. */
export interface Tally {
  calls: number
  /** Calls by verdict, and those that were not cut and were said to be. */
  yes: number
  no: number
  unknown: number
  alarms: number
  /** Calls that lost more than a twentieth of their prompt, and were said to be whole. */
  denied: number
  /** Counts that went into the calibration, and those of them that were of cut prompts. */
  learnt: number
  learntCut: number
  /**
   * Conversations in which at least three calls were cut from the first that lost more than a twentieth of its prompt.
   */
  cut: number
  /** Of these: named at all, within three calls, and with a window that is no more than 3% off when it is named. */
  named: number
  inThree: number
  near: number
}

export function emptyTally(): Tally {
  return {
    calls: 0,
    yes: 0,
    no: 0,
    unknown: 0,
    alarms: 0,
    denied: 0,
    learnt: 0,
    learntCut: 0,
    cut: 0,
    named: 0,
    inThree: 0,
    near: 0,
  }
}

const callsInAll = 80
/** Other conversations of the same kinds. */
const seed = process.env['TRUNCATION_SEED'] ?? ''
const place = { tenant: 'default', owner: '', upstream: 'http://127.0.0.1:11434', model: 'gemma3:4b' }
/** The server says that its window is this: it is a lie, or so large that nobody gets there. */
const told = 32_768

/** One conversation with a server of this kind: several threads, all on one curve. */
export function play(kind: ServerKind, number: number, tally: Tally): void {
  const dice = diceOf(Buffer.from(`${kind.name} ${number}${seed}`).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7))
  const window = dice.pick(
    kind.images ? [8192, 16_384, 32_768] : [2048, 2048, 4096, 4096, 8192, 16_384, 1536, 3000, 6000],
  )
  const [least, most] = kind.vocabulary ?? [0.9, 1.15]
  const { images = false, tools = false, changingTools = false, thoughts = false, countsRead = false } = kind
  const talk = createConversation(dice, {
    window,
    vocabulary: least + dice.roll() * (most - least),
    images,
    tools,
    changingTools,
    thoughts,
  })
  const server = kind.make(dice, window)
  const readings = createReadCurves()
  const before = new Map<string, readonly number[]>()
  const samples: UsageSample[] = []
  const cutCounts = new Set<string>()
  let [cuts, named, seen] = [0, 0, undefined as number | undefined]
  for (let call = 0; call < callsInAll; call++) {
    const prompt = talk.next()
    const sent = sizesOf(prompt, before)
    const { usage, cut } = server.serve(prompt)
    if (cut > 0) cutCounts.add(`${sent.sent} ${usage.prompt}`)
    const alone = findTruncation({
      ...intervalOf(sent, samples),
      predicted: sent.sent,
      isExact: false,
      reused: sent.reused,
      usage,
      upstream: countsRead ? {} : { counts: 'whole' },
    })
    const { truncated, clean } = readings.note(place, {
      ...sent,
      usage,
      told,
      countsRead,
      countsWhole: !countsRead,
      trust: 'alone',
      alone,
    })
    samples.push(...clean)
    tally.calls++
    tally[truncated]++
    tally.learnt += clean.length
    tally.learntCut += clean.filter(({ predicted, reported }) => cutCounts.has(`${predicted} ${reported}`)).length
    const isFar = cut > (cut + (usage.prompt ?? 0)) / 20
    if (truncated === 'yes' && cut === 0) tally.alarms++
    if (truncated === 'no' && isFar) tally.denied++
    if (cut > 0 && (cuts > 0 || isFar || truncated === 'yes')) cuts++
    if (cut > 0 && truncated === 'yes' && named === 0) named = cuts
    if (named > 0) seen ??= readings.windowOf(place)?.window
  }
  if (cuts < 3) return
  tally.cut++
  if (named > 0) tally.named++
  if (named > 0 && named <= 3) tally.inThree++
  if (seen !== undefined && Math.abs(seen / server.window - 1) <= 0.03) tally.near++
}

type Sent = Pick<ReadCall, 'thread' | 'sent' | 'sure' | 'optional' | 'reused' | 'tools' | 'images'>

function sizesOf({ thread, messages, tools }: SizedPrompt, before: Map<string, readonly number[]>): Sent {
  const ids = messages.map(({ id }) => id)
  const was = before.get(thread) ?? []
  let same = 0
  while (same < ids.length && ids[same] === was[same]) same++
  before.set(thread, ids)
  const sum = (of: (message: Sized) => number, list = messages): number =>
    list.reduce((total, message) => total + of(message), 0)
  const ours = ({ ours: text, thoughtOurs, images }: Sized): number => text + thoughtOurs + 4 + images * 768
  return {
    thread,
    sent: sum(ours) + tools.ours + 3,
    sure: sum(({ sure }) => sure),
    optional: sum(({ thoughtOurs }) => thoughtOurs),
    reused: sum(ours, messages.slice(0, same)),
    tools: tools.ours,
    images: sum(({ images }) => images),
  }
}

/** Between what the count must lie, by a calibration that has learnt from counts that were not cut. */
function intervalOf(
  { sent, sure }: Sent,
  samples: readonly UsageSample[],
): { readonly low?: number; readonly high?: number } {
  const { margin, scales } = calibrated(ones, samples)
  if (!margin || !scales) return {}
  return {
    low: Math.floor(sure * scales.factor * (1 - margin.below)),
    high: Math.ceil(sent * 1.25 * scales.factor * (1 + margin.above)),
  }
}

const ones: TokenCounter = { name: 'ones', overhead: 0, count: (text) => text.length }
