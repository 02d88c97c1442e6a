import type { Message, Store } from 'minutebook'
import { traits } from 'minutebook/store'
import { chainOf, pairAt, type Chain } from './chain.ts'
import { linesUnder } from './directory.ts'
import type { Asked, FoundThread } from './found-thread.ts'
import { lineUpTo } from './known-line.ts'

/**
 * What messages are to a thread that the client names: its history where they begin with its first message, or hold one
 * of its answers in the place where it was given. All else is said behind what is there.
 */
export async function findNamed(asked: Asked, chain: Chain, thread: string): Promise<FoundThread> {
  const opening = await openingOf(asked, thread)
  const named = { thread, kind: 'named', chain } as const
  if (opening === undefined || opening === chain.texts[0]) return { ...named, isWhole: true }
  const newest = chain.answers.at(-1)
  const lines = newest === undefined ? [] : await linesUnder(asked, pairAt(chain, newest))
  const known =
    newest === undefined
      ? undefined
      : lineUpTo(
          newest,
          lines.filter((line) => line.thread === thread),
          chain,
          asked.model,
        )
  return typeof known === 'object' ? { ...named, isWhole: known.isWhole } : { ...named, isWhole: false, alone: true }
}

/**
 * The first message of a thread, in its normal form; undefined where it has none. A system message may stand there as a
 * user's words.
 */
async function openingOf(
  { store, messages }: { readonly store: Store; readonly messages: readonly Message[] },
  thread: string,
): Promise<string | undefined> {
  const systems = new Set(
    messages
      .filter(({ role }) => ['system', 'developer'].includes(String(role).toLowerCase()))
      .map(({ content }) => content),
  )
  const entries = await store.read(thread, { to: mostOpening })
  const first = entries.find(({ kind, raw }) => traits[kind].chained && kind !== 'system' && !systems.has(raw.content))
  return first && chainOf([first.raw]).texts[0]
}

/** Entries of a thread among which its first message is looked for. */
const mostOpening = 16
