import type { Entry } from '../../src/log/entry.ts'
import { matchCall } from '../../src/log/exchange.ts'
import { noCalls } from '../../src/log/unanswered-calls.ts'
import { emptyDigest, finishedDigest, withEntry, type Digest, type DigestOptions } from '../../src/compiler/digest.ts'

/** The digest of a whole exchange. */
export function digestExchange(entries: readonly Entry[], digesting: DigestOptions): Digest {
  let [draft, open] = [emptyDigest, noCalls]
  for (const entry of entries) {
    const place = matchCall(entry, open)
    draft = withEntry(draft, entry, place, open, digesting)
    open = place.open
  }
  return finishedDigest(draft, open, digesting)
}
