import type { Message } from 'minutebook'
import { leading, toolName } from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { readMessage } from 'minutebook/wire'
import type { CachePrompt, PromptChange } from './cache-difference.ts'

/**
 * Why a server could not use all of its cache.
 *
 * - `system`: the system text is another one, such as with a date or a counter in it.
 * - `tool_order`, `tool_text`, `tool_set`: the same tools in another order; a tool that is described in other words; a
 *   tool that was added or removed.
 * - `client_compaction`: the client dropped or replaced several older messages.
 * - `own_compaction`: Minutebook compacted the prompt, because it no longer fit, or its policy chose other entries.
 * - `title`, `thread`: the server answered something else in between: a side request of the same client, such as for a
 *   title, or another thread.
 * - `model`, `option`: another model, or an option that changes how a server reads a prompt.
 * - `image`: an image of an older message was encoded again.
 * - `edit`: an earlier message was edited, added or removed.
 * - `server`: none of these, but the server says that it read the prompt again.
 */
export type CacheCause =
  | 'system'
  | 'tool_order'
  | 'tool_text'
  | 'tool_set'
  | 'client_compaction'
  | 'own_compaction'
  | 'title'
  | 'thread'
  | 'model'
  | 'option'
  | 'image'
  | 'edit'
  | 'server'

/** The cause in words. `place`: the field that differs. */
export function causeText(cause: CacheCause, place = ''): string {
  return causeTexts[cause](place)
}

const causeTexts: Readonly<Record<CacheCause, (place: string) => string>> = {
  system: (place) => `the system text changed, at ${place}`,
  tool_order: (place) => `the same tools came in another order, from ${place} on`,
  tool_text: (place) => `a tool is described in other words, at ${place}`,
  tool_set: (place) => `a tool was added or removed, at ${place}`,
  client_compaction: (place) => `the client dropped or replaced older messages, from ${place} on`,
  own_compaction: (place) => `Minutebook compacted the prompt, or recalled other entries, from ${place} on`,
  title: () => 'the server answered a side request of the client in between, such as for a title',
  thread: () => 'the server answered another thread in between',
  model: () => 'another model was asked',
  option: (place) => `the option ${place.slice('options.'.length)} changed`,
  image: (place) => `an image was encoded again, at ${place}`,
  edit: (place) => `an earlier message was changed, at ${place}`,
  server: () => 'the server no longer had it, and Minutebook saw no reason',
}

/** What was changed? The cause of the first difference between two prompts. */
export function causeOf(now: CachePrompt, before: CachePrompt, { place, message }: PromptChange): CacheCause {
  if (place === 'model') return 'model'
  if (message === undefined) return place.startsWith('options.') ? 'option' : toolCause(now.tools, before.tools)
  return ownCause(now, before, message) ?? messageCause(now.messages, before.messages, message)
}

function toolCause(now: readonly unknown[], before: readonly unknown[]): CacheCause {
  if (areSame(now.map(toolName), before.map(toolName))) {
    return areSame(now.map(canonicalJson), before.map(canonicalJson)) ? 'tool_order' : 'tool_text'
  }
  return 'tool_set'
}

/** True if two lists have the same texts, in any order. */
function areSame(left: readonly string[], right: readonly string[]): boolean {
  const [mine, theirs] = [left.toSorted(), right.toSorted()]
  return mine.length === theirs.length && mine.every((text, index) => text === theirs[index])
}

/** The cause in prompts that Minutebook made. Undefined if the log itself says something else now. */
function ownCause(now: CachePrompt, before: CachePrompt, at: number): CacheCause | undefined {
  if (!now.isCompiled && !before.isCompiled) return undefined
  if (systemText(now) !== systemText(before)) return 'system'
  const isOther = now.isCompiled !== before.isCompiled || now.epoch !== before.epoch
  const isOurs = isOther || isWrittenByUs(now, at) || isWrittenByUs(before, at)
  // A policy without epochs drops messages and writes nothing: then the place has another entry of the conversation.
  return isOurs || entryAt(now, at) !== entryAt(before, at) ? 'own_compaction' : undefined
}

/** The first entry of the plan that a message has. */
function entryAt({ pieces }: CachePrompt, at: number): number | undefined {
  return pieces[at]?.flatMap(({ entries = [] }) => entries)[0]
}

/** The system text as the application or the client wrote it. At a compaction, notes are added to the message. */
function systemText({ pieces }: CachePrompt): string {
  return pieces
    .flat()
    .filter(({ tier }) => tier === 'system')
    .map(({ text }) => text)
    .join('\n')
}

function isWrittenByUs({ pieces }: CachePrompt, at: number): boolean {
  // Of the tier `pinned`, the first user message has another label.
  return (
    pieces[at]?.some(({ tier, label }) => label === 'PINNED' || (tier !== undefined && ourTiers.has(tier))) ?? false
  )
}

const ourTiers: ReadonlySet<string> = new Set(['notes', 'outline', 'marker', 'recall'])

/** The cause in messages of a client. `at`: the index of the first message that differs. */
function messageCause(now: readonly Message[], before: readonly Message[], at: number): CacheCause {
  const [mine, theirs] = [behindSystem(now), behindSystem(before)]
  if (at < Math.max(now.length - mine.length, before.length - theirs.length)) {
    const next = leading(theirs, mine)
    const isGrown = next === theirs.length || next === mine.length
    return !isGrown && messageCause(mine, theirs, next) === 'client_compaction' ? 'client_compaction' : 'system'
  }
  const { removed, added } = changeFrom(now, before, at)
  // Nothing that was said is left, and it is more than another first message: the client keeps only its newest ones.
  const isAll = added > 1 && added === mine.length && removed === theirs.length
  if (removed !== added) return removed > added || isAll ? 'client_compaction' : 'edit'
  const edited = now
    .slice(at, at + added)
    .map((message, index) => [message, before[at + index]!] as const)
    .filter(([message, earlier]) => canonicalJson(message) !== canonicalJson(earlier))
  if (edited.every(([message, earlier]) => isOtherImage(message, earlier))) return 'image'
  if (isAll) return 'client_compaction'
  const grown = edited.reduce((sum, [message, earlier]) => sum + lengthOf(message) - lengthOf(earlier), 0)
  return edited.length > 2 && grown < 0 ? 'client_compaction' : 'edit'
}

/** The messages without the system messages at their beginning. */
function behindSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => readMessage(message).kind !== 'system')
  return first < 0 ? [] : messages.slice(first)
}

/** How many messages from the first difference on are gone, and how many there are instead. */
interface Change {
  readonly removed: number
  readonly added: number
}

/**
 * Both prompts end alike, apart from what is new: so the newest message of the one before is looked for in the new one,
 * and all that is equal before it. If it is not there, the client went back to an earlier message, such as to get
 * another answer: the newest message of the new one is looked for in the one before. Or else all was replaced.
 */
function changeFrom(now: readonly Message[], before: readonly Message[], at: number): Change {
  const [mine, theirs] = [now.slice(at).map(canonicalJson), before.slice(at).map(canonicalJson)]
  const grown = beforeEqualEnd(theirs, mine)
  if (grown) return { removed: grown.own, added: grown.other }
  const back = beforeEqualEnd(mine, theirs)
  return back ? { removed: back.other, added: back.own } : replacedAll(now, before, at)
}

/**
 * How many texts of two lists are before the part with which the first one ends and that both have. Undefined if the
 * other list does not have the last text.
 */
function beforeEqualEnd(
  own: readonly string[],
  other: readonly string[],
): { readonly own: number; readonly other: number } | undefined {
  const newest = own.at(-1)!
  let best: { readonly own: number; readonly other: number } | undefined
  let place = other.lastIndexOf(newest)
  // The same may be said several times. The place with the longest equal part before it is meant.
  for (let tries = 0; place >= 0 && tries < mostTries; tries++) {
    let [left, otherLeft] = [own.length - 1, place]
    while (left > 0 && otherLeft > 0 && own[left - 1] === other[otherLeft - 1])
      [left, otherLeft] = [left - 1, otherLeft - 1]
    if (!best || left < best.own) best = { own: left, other: otherLeft }
    place = place === 0 ? -1 : other.lastIndexOf(newest, place - 1)
  }
  return best
}

const mostTries = 16

/**
 * Nothing that was newest is left. If a person edits an earlier message, the new prompt ends with it. A summary of
 * several messages also may be the last one, but is longer than the message that it replaces.
 */
function replacedAll(now: readonly Message[], before: readonly Message[], at: number): Change {
  const [added, removed] = [now.length - at, before.length - at]
  const isSummary = removed > 2 && lengthOf(now[at]!) > 2 * lengthOf(before[at]!) + 200
  const isEdit = added === 1 && now[at]!.role === before[at]!.role && !isSummary
  return isEdit ? { removed: 1, added: 1 } : { removed, added }
}

function lengthOf(message: Message): number {
  return canonicalJson(message).length
}

/** True if two messages say the same, but with other images. */
function isOtherImage(now: Message, before: Message): boolean {
  const [mine, theirs] = [readMessage(now), readMessage(before)]
  return (
    mine.images.length > 0 &&
    mine.images.length === theirs.images.length &&
    canonicalJson({ ...mine, images: [] }) === canonicalJson({ ...theirs, images: [] })
  )
}
