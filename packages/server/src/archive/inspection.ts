import { estimator, visible, type Book, type Entry, type Policy, type TokenCounter } from 'minutebook'
import {
  inspect,
  type CacheUsage,
  type CallCost,
  type InspectedEntry,
  type InspectedMessage,
  type InspectedPiece,
  type Share,
} from '@minutebook/inspect'
import { counterNamed, numbersOf, type KeptReceipt, type Overhead, type ThreadDump } from 'minutebook/inspect'
import { createHash } from 'node:crypto'
import type { CallPlace } from './archive.ts'

/**
 * A model call as the inspector draws it: the window, every entry with its verdict, and where every message comes from.
 */
export interface Inspection extends CallPlace {
  readonly window: number
  readonly reserve: number
  /** The tokens of the whole prompt, as the counter counts them. */
  readonly tokens: number
  readonly overflow: number
  readonly counter: string
  readonly policy: string
  readonly shares: readonly Share[]
  readonly entries: readonly TitledEntry[]
  /** Every message of the prompt, in its order. */
  readonly messages: readonly ShownMessage[]
  /** How many messages at the beginning are the same as in the previous prompt, byte for byte. */
  readonly reused: number
  /** By the prices in the settings; null if they do not name the model, or if the upstream reported no tokens. */
  readonly cost: CallCost | null
  /** What the upstream could take from its cache; null if the previous prompt cannot be derived here. */
  readonly cache: CacheUsage | null
  readonly hash: string
  /** Whether the prompt has the hash of the one that was sent. */
  readonly same: boolean
  /** Whether something that the prompt contained, or may have contained, was erased later. */
  readonly erased: boolean
  /** What is left out because the caller may not see it. */
  readonly hidden: { readonly entries: number; readonly messages: number; readonly tools: number }
  /** For admins: what was sent, and under what. */
  readonly sent?: {
    readonly messages: ThreadDump['messages']
    readonly tools: ThreadDump['tools']
    readonly text: string
    readonly under: SentUnder
  }
}

/** With what people may see of it. */
export interface TitledEntry extends InspectedEntry {
  readonly title: string
  /** Its number on the branch, counted from 0. Not set on notes, and on system texts that were replaced later. */
  readonly number?: number
}

export interface ShownMessage extends Omit<InspectedMessage, 'pieces'> {
  readonly pieces: readonly ShownPiece[]
}

/** Callers other than admins get only what people may see of the entries. */
export interface ShownPiece extends Omit<InspectedPiece, 'text'> {
  readonly text?: string
}

/** What a prompt was made under. */
export interface SentUnder {
  readonly policy: Policy | null
  readonly profile: object
  readonly wire: string | null
}

export interface InspectionOptions extends Pick<Inspection, 'cache' | 'cost'> {
  readonly dump: ThreadDump
  /** The counter of the prompt; undefined: the estimator. */
  readonly counter: TokenCounter | undefined
  readonly under: SentUnder
  /** With what people do not see. */
  readonly all: boolean
  /** The branch of the call. */
  readonly branch: readonly Entry[]
}

/** Draws a past call. The function `visible` alone decides what people may see: any message may contain a note. */
export async function inspectionOf(
  place: CallPlace,
  { dump, counter: atHand, under, all, branch, cache, cost }: InspectionOptions,
): Promise<Inspection> {
  const { plan, messages, tools, hash, same, erased, text, pieces } = dump
  const planned = (await dump.entries?.()) ?? []
  const counter = counterNamed(plan.counter, atHand ?? estimator) ?? estimator
  const drawn = inspect(
    { plan, messages, tools, pieces, entries: planned, unchanged: place.receipt.sent !== undefined },
    counter,
  )
  const words = new Map((all ? planned : visible(planned)).map((entry) => [entry.id, entry.text]))
  const entries = drawn.entries.filter(({ id }) => words.has(id))
  const numbers = numbersOf(branch)
  const seqs = new Map(branch.map(({ id, seq }) => [id, seq]))
  const isShown = (piece: InspectedPiece): boolean =>
    all || (piece.entries.length > 0 && piece.entries.every((id) => words.has(id)))
  return {
    ...place,
    receipt: all ? place.receipt : withoutWords(place.receipt),
    window: plan.window,
    reserve: plan.reserve,
    tokens: plan.tokens,
    overflow: plan.overflow,
    counter: plan.counter,
    policy: plan.policy,
    shares: drawn.shares,
    entries: entries.map((entry) => {
      const number = numbers.get(entry.id)
      return {
        ...entry,
        seq: seqs.get(entry.id) ?? entry.seq,
        ...(number !== undefined && { number }),
        title: titleOf(words.get(entry.id) ?? ''),
      }
    }),
    messages: drawn.messages.map((message) => ({
      ...message,
      pieces: message.pieces.filter(isShown).map((piece) => (all ? piece : wordless(piece))),
    })),
    reused: prefixOf(
      drawn.messages.map(({ tokens }) => tokens),
      place.receipt.tokens.reused,
    ),
    cost,
    cache,
    hash,
    same,
    erased,
    hidden: {
      entries: drawn.entries.length - entries.length,
      messages: drawn.messages.filter((message) => !message.pieces.every(isShown)).length,
      tools: all ? 0 : tools.length,
    },
    ...(all && { sent: { messages, tools, text, under } }),
  }
}

/** A receipt without what a client said in it: its own ids, and messages that are not entries. */
export function withoutWords(receipt: KeptReceipt): KeptReceipt {
  return without(receipt, 'sent', 'key') as KeptReceipt
}

function wordless(piece: InspectedPiece): ShownPiece {
  return without(piece, 'text') as unknown as ShownPiece
}

function without(of: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(of).filter(([name]) => !names.includes(name)))
}

/** How many messages at the beginning make up the reused tokens. */
function prefixOf(weights: readonly number[], reused: number): number {
  let sum = 0
  let messages = 0
  while (messages < weights.length && sum + weights[messages]! <= reused) sum += weights[messages++]!
  return messages
}

function titleOf(text: string): string {
  const letters = Array.from(
    text
      .slice(0, 4 * longestTitle)
      .split(/\s+/)
      .filter(Boolean)
      .join(' '),
  )
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : letters.join('')
}

const longestTitle = 80

/** What a counter counted when the prompts of a thread were made, by the beginning of the SHA-256 of each text. */
export interface Counts {
  /** Null if the prompts were made with the estimator, which every client has. */
  readonly counter: { readonly name: string; readonly overhead: Overhead } | null
  readonly counts: Readonly<Record<string, number>>
}

/** Makes all prompts of the newest branch again, and keeps what was counted on the way. */
export async function countsOf(book: Book, thread: string, counter: TokenCounter | undefined): Promise<Counts> {
  if (!counter) return { counter: null, counts: {} }
  const counts: Record<string, number> = {}
  const listening: TokenCounter = {
    ...counter,
    count: (text) => (counts[keyOf(text)] ??= counter.count(text)),
  }
  await book.thread(thread, { counter: listening }).replay({})
  return { counter: { name: counter.name, overhead: counter.overhead }, counts }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, keyLength)
}

const keyLength = 16
