import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { longChainOf, questionOf, type Chain } from './chain.ts'
import { linesUnder } from './directory.ts'
import type { Asked, FoundThread } from './found-thread.ts'
import { chosen, knownLine } from './known-line.ts'
import type { Line } from './line.ts'
import { findNamed } from './named-thread.ts'
import { namedThread, newThread, type Chance } from './thread-name.ts'

/**
 * Finds the thread that a client's messages belong to, by what they say. One read where the newest answer among them is
 * known, as nearly always.
 *
 * - They hold a line of this owner up to one of its answers: that thread.
 * - They are the end of such a line, two messages at least: that thread, whose client drops its oldest messages.
 * - Several threads have it: the newest that the same model answered. Where none was, or there is none: a new thread.
 * - Without any answer among them they are a new thread, unless the client says that it sends them again.
 *
 * @example
 * const found = await findThread({ store, owner: key.name, messages, model, now: Date.now(), random: randomBytes })
 */
export async function findThread(asked: Asked): Promise<FoundThread> {
  const { owner, messages, name, retry, whole = false } = asked
  const chain = await longChainOf(messages)
  if (name !== undefined) return findNamed(asked, chain, namedThread(owner, name))
  const again = await askedBefore(asked, chain)
  if (again && (!whole || again.whole !== ''))
    return { thread: again.thread, kind: 'retry', isWhole: again.whole !== '', chain }
  const known = await knownLine(asked, chain)
  if (known && (!whole || known.isWhole)) return { ...known, kind: retry ? 'retry' : known.kind, chain }
  return { thread: newThread(owner, chanceOf(asked, chain)), kind: 'new', isWhole: true, chain }
}

/** The line of a question that the client sends again. Without an id it is one only for a while. */
async function askedBefore(asked: Asked, chain: Chain): Promise<Line | undefined> {
  const { id, retry, model, now } = asked
  if (id === undefined && !retry) return undefined
  const lines = await linesUnder(asked, questionOf(chain, id))
  const line = chosen(
    id === undefined ? lines.filter(({ time }) => now - Date.parse(time ?? '') < retriedWithin) : lines,
    model,
  )
  return typeof line === 'object' ? line : undefined
}

/** Milliseconds. Official clients give up after ten minutes, and try again soon after. */
const retriedWithin = 15 * 60_000

/** Instances that are asked the same at once, under the same id, must come upon the same name. */
function chanceOf(asked: Asked, chain: Chain): Chance {
  const { id, model, now } = asked
  if (id === undefined) return asked
  const drawn = Buffer.from(hash('sha256', JSON.stringify([questionOf(chain, id), model])), 'hex')
  return { now: now - (now % day), random: (bytes) => drawn.subarray(0, bytes) }
}

/** Milliseconds. */
const day = 24 * 60 * 60_000
