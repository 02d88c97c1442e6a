import type { Message } from 'minutebook'
import { asObject } from '../http/json.ts'

/** What a request has too much of. */
export interface Excess {
  /** Follows "messages contains". */
  readonly what: string
  readonly fix: string
}

/**
 * What the messages of a request have too much of; undefined if nothing. Work on one message cannot be sliced, so its
 * size has a limit: then no request keeps others waiting. Every value counts, whatever its name and meaning, so no block
 * of any protocol escapes the limits. `messages`: as they are recorded, after a request was converted.
 */
export function excessIn(messages: readonly Message[]): Excess | undefined {
  if (messages.length > most.messages) return { what: `more than ${most.messages} messages`, fix: 'Send fewer.' }
  const systems = messages.filter(({ role }) => systemRoles.has(String(role).toLowerCase())).length
  if (systems > most.systems) return { what: `more than ${most.systems} system messages`, fix: 'Send fewer.' }
  let [text, items] = [0, 0]
  for (const message of messages) {
    const size = sizeOf(message)
    if (size.items > most.items)
      return {
        what: `a message with more than ${most.items} parts, images or tool calls`,
        fix: 'Send fewer, or several messages.',
      }
    if (size.values > most.values)
      return {
        what: `a message with more than ${most.values} values`,
        fix: 'Send nested data as a text that contains JSON.',
      }
    if (size.text > most.text) return { what: `a message of more than ${most.text} characters`, fix: 'Send less.' }
    if (size.images > most.images)
      return {
        what: `a message with images of more than ${most.images} characters`,
        fix: 'Send smaller ones, or several messages.',
      }
    text += size.text
    items += size.items
  }
  if (items > most.allItems)
    return { what: `more than ${most.allItems} parts, images and tool calls`, fix: 'Send fewer.' }
  return text > most.allText
    ? { what: `more than ${most.allText} characters, not counting images`, fix: 'Send less.' }
    : undefined
}

/**
 * What a list of items has too much of, before messages are made of it. Each item becomes a message, or a part or call
 * of one.
 */
export function excessInItems(items: readonly unknown[]): Excess | undefined {
  return items.length > most.allItems ? { what: `more than ${most.allItems} items`, fix: 'Send fewer.' } : undefined
}

/** What the tools of a request have too much of: their schemas are not read in slices, either. */
export function excessInTools(tools: readonly unknown[]): Excess | undefined {
  if (tools.length > most.tools) return { what: `more than ${most.tools} tools`, fix: 'Send fewer.' }
  const { characters, values } = measure(tools)
  if (values > most.toolValues)
    return { what: `more than ${most.toolValues} values`, fix: 'Send fewer tools, or smaller schemas.' }
  return characters > most.toolText
    ? { what: `more than ${most.toolText} characters`, fix: 'Send fewer tools, or shorter descriptions and schemas.' }
    : undefined
}

const most = {
  messages: 20_000,
  systems: 1000,
  /** In one message: entries of its lists, such as parts, images, calls and thoughts. */
  items: 1000,
  allItems: 40_000,
  /** In one message: all values, at all depths. */
  values: 50_000,
  /** Characters: some two million tokens in one message, four million in all. */
  text: 8 << 20,
  allText: 16 << 20,
  /** Characters of all images of one message. */
  images: 32 << 20,
  tools: 1000,
  toolValues: 50_000,
  toolText: 4 << 20,
}

const systemRoles: ReadonlySet<string> = new Set(['system', 'developer'])

interface MessageSize {
  readonly items: number
  readonly values: number
  readonly text: number
  readonly images: number
}

/** Parts without a text count as images. */
function sizeOf(message: Message): MessageSize {
  let [items, values, text, images] = [0, 0, 0, 0]
  for (const [name, field] of Object.entries(message)) {
    const list: readonly unknown[] = Array.isArray(field) ? field : [field]
    if (Array.isArray(field)) items += list.length
    for (const each of list) {
      const size = measure(each, name === 'tool_calls')
      values += size.values
      const isImage = name === 'images' || (name === 'content' && typeof each === 'object' && !isText(each))
      if (isImage) images += size.characters
      else text += size.characters
    }
  }
  return { items, values, text, images }
}

function isText(part: unknown): boolean {
  return typeof asObject(part)['text'] === 'string'
}

/**
 * How many values are in a value, itself included, and how many characters these have with their names. Anything but a
 * text counts as one character. `parsed`: texts that are JSON count as what they contain, because they will be parsed.
 */
function measure(value: unknown, parsed = false): { readonly values: number; readonly characters: number } {
  let [values, characters] = [0, 0]
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    values++
    if (typeof next === 'string') {
      characters += next.length
      if (parsed) values += valuesInJson(next)
    } else if (typeof next !== 'object' || next === null) characters++
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else
      for (const [name, member] of Object.entries(next)) {
        characters += name.length
        open.push(member)
      }
  }
  return { values, characters }
}

/** How many values a JSON text contains, about. What is in its texts does not count. */
function valuesInJson(text: string): number {
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
    } else if (code === comma || code === openBracket || code === openBrace) values++
  }
  return values
}

const [quote, backslash, comma, openBracket, openBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]
