import type { Compiled } from '../compile.ts'
import { gist } from '../digest/gist.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { exchanges } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { readMessage, type Message } from '../log/message.ts'
import type { Plan } from '../plan/plan.ts'
import type { Span } from '../plan/span.ts'
import type { CallSettings } from './call-settings.ts'
import { entryOfReference, referredBy, type Reference } from './form.ts'
import { requestHash, type Prompt } from './prompt.ts'
import { isReceipt, receiptFrom, type Receipt } from './receipt.ts'
import { referencesOf } from './sent.ts'

/** Finds the entries of a log by their ids. */
export type Finder = (id: string) => Entry | undefined

export function createFinder(log: readonly Entry[]): Finder {
  let [byId, length] = [new Map<string, Entry>(), 0]
  return (id) => {
    for (; length < log.length; length++) byId.set(log[length]!.id, log[length]!)
    return byId.get(id)
  }
}

/** The references of a call that went as it came; undefined where they cannot be told any more. */
export function referencesIn({ sent }: Pick<Receipt, 'sent'>, find: Finder): readonly Reference[] | undefined {
  const sentOf = (id: string): Receipt['sent'] => {
    const entry = find(id)
    return entry && isReceipt(entry) ? receiptFrom(entry).sent : undefined
  }
  return sent && referencesOf(sent, sentOf)
}

/** The prompt of a call that went as it came. `branch`: what there was of it then. */
export function cameAs(receipt: Receipt, settings: CallSettings, branch: readonly Entry[], find: Finder): Prompt {
  const references = referencesIn(receipt, find) ?? fail('the receipt of a call that it builds on was erased')
  const messages = references.map((reference) => referredBy(reference, find) ?? fail('an entry of this model call is not in the log'))
  const ids = references.map((reference) => entryOfReference(reference, find))
  const { tools } = settings
  const planned = branch.filter(({ kind }) => traits[kind].prompted)
  const plan = planOf(receipt, settings, planned, new Set(ids))
  const places = new Map(planned.map(({ id }, index) => [id, index]))
  const pieces = messages.map((message, index) => [pieceOf(message, places.get(ids[index] ?? ''))])
  return { messages, tools, compiled: { messages: [...messages], plan, tokens: plan.tokens, pieces }, hash: requestHash(messages, tools), asItCame: true, planned: () => planned }
}

/** What a client sent is no choice of ours: everything that it sent is verbatim, the rest of the branch was left out by it. */
function planOf({ tokens: { predicted } }: Receipt, { policy, counter, window, reserve }: CallSettings, entries: readonly Entry[], sent: ReadonlySet<string | undefined>): Plan {
  const found = exchanges(entries)
  const part = { shape: 'entries', tier: 'verbatim', from: 0, to: entries.length, bare: 0, systems: true, notes: false, clips: [], tokens: predicted } as const
  return {
    policy: policy.name,
    counter,
    window,
    reserve: reserve ?? 0,
    tokens: predicted,
    tools: 0,
    overhead: 0,
    entries: entries.length,
    exchanges: found.length,
    epoch: { number: 0, since: 0 },
    overflow: 0,
    parts: [part],
    spans: spansOf(entries, sent, found),
  }
}

/** One for each exchange, and more where a part of one was not sent. */
function spansOf(entries: readonly Entry[], sent: ReadonlySet<string | undefined>, found: ReturnType<typeof exchanges>): Span[] {
  const spans: Span[] = []
  let exchange = -1
  for (const [index, { id, kind, text }] of entries.entries()) {
    if (found[exchange + 1]?.from === index) exchange++
    const [verdict, reason] = !traits[kind].chained ? (['hidden', 'no part of it'] as const) : sent.has(id) ? (['verbatim', 'sent as it came'] as const) : (['omitted', 'left out by the client'] as const)
    const notes = traits[kind].chained ? 0 : 1
    const last = spans.at(-1)
    if (last?.verdict === verdict && last.exchange === exchange) spans[spans.length - 1] = { ...last, to: index + 1, notes: last.notes + notes }
    else spans.push({ from: index, to: index + 1, exchange, last: exchange, verdict, tier: verdict === 'verbatim' ? 'verbatim' : null, tokens: 0, notes, reason, title: traits[kind].chained ? gist(text, 40) : '' })
  }
  return spans
}

function pieceOf(message: Message, place: number | undefined): Compiled['pieces'][number][number] {
  const { kind, text } = readMessage(message)
  return { label: traits[kind].label, text, tier: kind === 'system' ? 'system' : 'verbatim', ...(place !== undefined && { entries: [place] }) }
}

function fail(why: string): never {
  throw new MinutebookError('cannot_derive', `This prompt cannot be derived any more: ${why}.`)
}
