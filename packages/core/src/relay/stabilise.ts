import { isSystemText, type Entry } from '../log/entry.ts'
import { kindOf, type Message } from '../log/message.ts'
import { canonicalJson } from '../log/json.ts'
import type { Receipt, Stabiliser } from '../receipts/receipt.ts'

/** A client's request, changed as little as possible, so that the cache of a model server can be used. */
export interface ChangedRequest<T> {
  readonly value: T
  /** What was done. Empty if nothing had to be. */
  readonly stabilised: readonly Stabiliser[]
}

/** What can be changed in a request so that it begins like the one before? The tools, sorted by their names. */
export function sortTools<T>(tools: readonly T[], asked: readonly Stabiliser[] = []): ChangedRequest<readonly T[]> {
  if (!asked.includes('tools')) return { value: tools, stabilised: [] }
  const sorted = tools.toSorted((left, right) => compared(toolName(left), toolName(right)))
  return sorted.some((tool, index) => tool !== tools[index])
    ? { value: sorted, stabilised: ['tools'] }
    : { value: tools, stabilised: [] }
}

/** The name of a tool, in whatever protocol. A tool without a name is its JSON. */
export function toolName(tool: unknown): string {
  const { function: called, name } = Object(tool) as { readonly function?: unknown; readonly name?: unknown }
  const inner = (Object(called) as { readonly name?: unknown }).name
  return typeof inner === 'string' ? inner : typeof name === 'string' ? name : canonicalJson(tool)
}

/** By code units, so that the order is the same on every machine. */
function compared(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The messages with the volatile lines of each system message at its end. A line is volatile if it was in an earlier
 * system text of the thread with other numbers, another day or another month. So the first change is not prevented, but
 * all later ones are. `log`: the entries of the thread, with this request.
 */
export function moveVolatileLines(
  messages: readonly Message[],
  log: readonly Entry[],
  asked: readonly Stabiliser[] = [],
): ChangedRequest<readonly Message[]> {
  const first = messages.findIndex((message) => kindOf(message) !== 'system')
  const opening = messages.slice(0, first < 0 ? messages.length : first)
  if (!asked.includes('system') || opening.length === 0) return { value: messages, stabilised: [] }
  const isVolatile = volatileLines(log)
  const moved = opening.map((message) => withVolatileLast(message, isVolatile))
  return moved.some((message, index) => message !== opening[index])
    ? { value: [...moved, ...messages.slice(opening.length)], stabilised: ['system'] }
    : { value: messages, stabilised: [] }
}

/** Only texts are changed, not lists of parts. */
function withVolatileLast(message: Message, isVolatile: (line: string) => boolean): Message {
  const { content } = message
  if (typeof content !== 'string') return message
  const lines = content.split('\n')
  const moved = [...lines.filter((line) => !isVolatile(line)), ...lines.filter(isVolatile)].join('\n')
  return moved === content ? message : { ...message, content: moved }
}

/** Returns whether a line is one that changes from call to call, by the newest system texts of a thread. */
function volatileLines(log: readonly Entry[]): (line: string) => boolean {
  const seen = new Map<string, string>()
  const shapes = new Set<string>()
  for (const { key, text } of log.filter(isSystemText).slice(-mostTexts)) {
    // A text may have several lines of one shape, such as a list. These belong together.
    const shaped = new Map<string, string>()
    for (const line of text.split('\n')) shaped.set(shapeOf(line), `${shaped.get(shapeOf(line)) ?? ''}\n${line}`)
    for (const [shape, now] of shaped) {
      const place = `${key} ${shape}`
      const before = seen.get(place)
      if (before !== undefined && before !== now) shapes.add(shape)
      seen.set(place, now)
    }
  }
  return (line) => shapes.has(shapeOf(line))
}

const mostTexts = 8

/** A line without what a clock or a counter changes in it. */
function shapeOf(line: string): string {
  return line.replaceAll(/\d+/g, '0').replaceAll(daysAndMonths, '#')
}

const daysAndMonths =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|Sat|Sun|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|AM|PM|am|pm)\b/g

/** What a receipt says of a request next to its messages. */
export interface RequestFacts {
  /** The options of the request that change how a server reads a prompt, as JSON, or the hash of that. */
  readonly promptOptions?: Receipt['promptOptions'] | undefined
  /** What the server answered between the previous call of the thread and this one. Default: unknown. */
  readonly answeredMeanwhile?: Receipt['between'] | undefined
  /** On whose behalf the model is called, if that is not the owner of the thread. See `ThreadOptions.owner`. */
  readonly owner?: string | undefined
  /** What may be changed in the request so that it begins like the one before. Default: nothing. */
  readonly stabilise?: readonly Stabiliser[] | undefined
}

export function factsOf(
  { promptOptions, answeredMeanwhile: between }: RequestFacts,
  stabilised: readonly Stabiliser[],
): Pick<Receipt, 'promptOptions' | 'between' | 'stabilised'> {
  return {
    ...(stabilised.length > 0 && { stabilised }),
    ...(promptOptions && Object.keys(promptOptions).length > 0 && { promptOptions }),
    ...(between && { between }),
  }
}
