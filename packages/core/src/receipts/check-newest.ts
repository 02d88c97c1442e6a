import type { LiveLog } from '../past/live-log.ts'
import { inSlices, itemWork, type Steps } from '../log/time.ts'
import { MinutebookError } from '../log/error.ts'
import type { StoredEntry } from '../log/store.ts'
import { isUnreadable } from './check-entries.ts'
import { recordedSettings, referencesIn } from './derive.ts'
import { createFinder, referredBy, type Finder } from './message-reference.ts'
import type { closestCall } from './past-call.ts'
import { requestHashing } from './prompt.ts'
import type { KeptReceipt } from './receipt.ts'

/** What was found of some prompts. */
interface NewestPrompts {
  /** How many equal the prompts that were sent. */
  readonly prompts: number
  readonly underivable: number
  readonly unchecked: number
  /** Those that differ, or that something unreadable is needed for. Only the whole thread tells why. */
  readonly doubtful: readonly KeptReceipt[]
}

/** The prompt of a call: as it was sent, or not; gone; or not to be had from so little. */
type Outcome = 'prompts' | 'underivable' | 'unchecked' | 'doubtful'

/**
 * Are the newest prompts of a thread those that were sent? Reads a bounded part of the thread for each. `entries`: its
 * newest entries, which are intact. `derive`: derives the prompt of a call from a checkpoint before it, if there is one.
 */
export async function checkNewest(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  entries: readonly StoredEntry[],
  receipts: readonly KeptReceipt[],
  derive: DerivePast,
): Promise<NewestPrompts> {
  const found = { prompts: 0, underivable: 0, unchecked: 0 }
  const doubtful: KeptReceipt[] = []
  const isErased = entries.some(({ status }) => status === 'erased')
  const find = createFinder(entries)
  const settingsOf = createSettingsReader(log, entries)
  for (const receipt of receipts) {
    const outcome = await outcomeOf(async () =>
      receipt.sent
        ? compared(await hashAsSent(log, receipt, settingsOf, find), receipt, isErased)
        : callOutcome(log, receipt, derive),
    )
    if (outcome === 'doubtful') doubtful.push(receipt)
    else found[outcome]++
  }
  return { ...found, doubtful }
}

/** Only an error that says nothing of the thread is thrown. */
async function outcomeOf(check: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await check()
  } catch (error) {
    if (isUnreadable(error) || error instanceof SyntaxError || error instanceof TypeError) return 'doubtful'
    if (MinutebookError.isInstance(error) && error.code === 'cannot_derive') return 'underivable'
    throw error
  }
}

function compared(hash: string | undefined, receipt: KeptReceipt, isErased: boolean): Outcome {
  if (hash === undefined) return 'unchecked'
  return hash === receipt.hash ? 'prompts' : isErased ? 'underivable' : 'doubtful'
}

type DerivePast = (receipt: KeptReceipt) => ReturnType<typeof closestCall>

async function callOutcome(
  { pause }: Pick<LiveLog, 'pause'>,
  receipt: KeptReceipt,
  derive: DerivePast,
): Promise<Outcome> {
  const found = await derive(receipt)
  await pause((found?.prompt.messages.length ?? 1) * itemWork)
  return compared(found?.prompt.hash, receipt, found?.isErased === true)
}

/** The hash of what a client sent. Undefined if that needs an entry that is not among those at hand. */
async function hashAsSent(
  { pause }: Pick<LiveLog, 'pause'>,
  receipt: KeptReceipt,
  settingsOf: SettingsReader,
  find: Finder,
): Promise<string | undefined> {
  const settings = await settingsOf(receipt.settings)
  const hash = settings && (await inSlices(sentHash(receipt, settings.tools, find), pause))
  await pause(itemWork)
  return hash
}

function* sentHash(
  receipt: KeptReceipt,
  tools: Parameters<typeof requestHashing>[1],
  find: Finder,
): Steps<string | undefined> {
  const messages = referencesIn(receipt, find)?.map((reference) => referredBy(reference, find))
  const found = messages?.filter((message) => message !== undefined)
  return found && found.length === messages?.length ? yield* requestHashing(found, tools) : undefined
}

type KnownSettings = ReturnType<typeof recordedSettings>

/** Finds settings by their hash. */
type SettingsReader = (hash: string) => Promise<KnownSettings>

/**
 * They may be recorded long before the newest entries: mostly by the first call of the thread, or at the place that the
 * checkpoint of the same settings names.
 */
function createSettingsReader({ stored }: Pick<LiveLog, 'stored'>, entries: readonly StoredEntry[]): SettingsReader {
  const known = new Map<string, Promise<KnownSettings>>()
  const read = async (hash: string): Promise<KnownSettings> => {
    const own = recordedSettings(entries, hash)
    if (own) return own
    const recorded = (await stored.newest(hash))?.recorded ?? null
    return recordedSettings(
      await (recorded === null ? stored.read({ from: 0, to: firstEntries }) : stored.entries([recorded])),
      hash,
    )
  }
  return (hash) => {
    const settings = known.get(hash) ?? read(hash)
    known.set(hash, settings)
    return settings
  }
}

const firstEntries = 32
