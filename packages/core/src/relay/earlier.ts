import { canonicalJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Steps } from '../log/steps.ts'
import { referencesIn, type Finder } from '../receipt/as-it-came.ts'
import type { Reference } from '../receipt/form.ts'
import { isReceipt, receiptFrom, type KeptReceipt } from '../receipt/receipt.ts'
import { sentAfter, type Sent } from '../receipt/sent.ts'

/** Tells what earlier calls sent. The last one is remembered: the next call mostly builds on it. */
export interface Earlier {
  /** What the receipt of a call says was sent: as little as the newest call of its branch that went as it came leaves to say. */
  sent(branch: readonly Entry[], references: readonly Reference[]): Sent
  /** How many messages stand at the beginning of this call and of the one before it. `derive`: the messages of one that was rewritten. */
  common(before: KeptReceipt, messages: readonly Message[], references: readonly Reference[] | undefined, derive: () => Steps<readonly Message[]>): Steps<number>
  /** A call that is on record now, by what it sent: as it came, or rewritten. */
  remember(receipt: KeptReceipt, sent: { readonly references: readonly Reference[] } | { readonly messages: readonly Message[] }): void
}

/** Which call, and by which finder: after an erasure there is another. */
interface Remembered {
  readonly id: string
  readonly find: Finder
}

export function createEarlier(find: () => Finder): Earlier {
  let last: Remembered & { readonly references: readonly Reference[] | undefined } | undefined
  let lastRewritten: Remembered & { readonly messages: readonly Message[] } | undefined
  const referencesOf = (receipt: KeptReceipt): readonly Reference[] | undefined => {
    const finder = find()
    // What was erased since is found by another finder.
    if (last?.id !== receipt.id || last.find !== finder) last = { find: finder, id: receipt.id, references: referencesIn(receipt, finder) }
    return last.references
  }
  return {
    sent: (branch, references) => {
      const base = newestSent(branch)
      const earlier = base && referencesOf(base)
      return sentAfter(references, earlier && { id: base.id, references: earlier })
    },
    common: function* (before, messages, references, derive) {
      const earlier = references && before.sent ? referencesOf(before) : undefined
      if (earlier && references) return leading(earlier, references)
      const isRemembered = lastRewritten?.id === before.id && lastRewritten.find === find()
      return leading(isRemembered ? lastRewritten!.messages : yield* derive(), messages)
    },
    remember: ({ id }, sent) => {
      if ('references' in sent) last = { find: find(), id, ...sent }
      else lastRewritten = { find: find(), id, ...sent }
    },
  }
}

/** On the branch itself, so that a fork has all that its receipts build on. */
function newestSent(branch: readonly Entry[]): KeptReceipt | undefined {
  for (const entry of branch.toReversed()) {
    const receipt = isReceipt(entry) ? receiptFrom(entry) : undefined
    if (receipt?.sent) return receipt
  }
  return undefined
}

function leading(before: readonly unknown[], now: readonly unknown[]): number {
  const other = now.findIndex((item, index) => item !== before[index] && (before[index] === undefined || canonicalJson(item) !== canonicalJson(before[index])))
  return other < 0 ? now.length : other
}
