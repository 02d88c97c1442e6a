import type { Usage } from 'minutebook'
import type { SizedPrompt, Sized } from './conversation.ts'
import type { Dice } from '../../../../../tests/support/dice.ts'

/** What a server does with a prompt: what it reports, and how many tokens it left out. */
export interface Served {
  readonly usage: Usage
  readonly cut: number
}

/** A kind of server. `make` starts one. */
export interface ServerKind {
  readonly name: string
  readonly cuts: boolean
  /** Whether its count can show a cut. */
  readonly shows: boolean
  /** Whether its protocol says that the count is of what was read. */
  readonly countsRead?: boolean
  readonly images?: boolean
  readonly tools?: boolean
  readonly changingTools?: boolean
  readonly thoughts?: boolean
  readonly vocabulary?: readonly [number, number]
  make(dice: Dice, window: number): Server
}

export interface Server {
  serve(prompt: SizedPrompt): Served
  /** The most tokens of a prompt that it reads, now. */
  readonly window: number
}

/** A template: what a message, the tools and the prompt come to. */
interface Template {
  /** Tokens around each message, and once. */
  readonly around: number
  readonly once: number
  readonly image: number
  /** Whether reasoning of earlier turns is left out. */
  readonly dropsThoughts: boolean
}

/** A prompt as the template writes it. */
interface Written {
  readonly head: number
  readonly each: readonly number[]
  readonly total: number
}

function templateOf(dice: Dice, dropsThoughts = true): Template {
  return {
    around: dice.between(3, 8),
    once: dice.pick([0, 1, 3, 25]),
    image: dice.pick([256, 576, 765, 1445]),
    dropsThoughts,
  }
}

function write({ messages, tools }: SizedPrompt, { around, once, image, dropsThoughts }: Template): Written {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const each = messages.map(
    (message, index) =>
      message.real + around + message.images * image + (dropsThoughts && index < asked ? 0 : message.thought),
  )
  const head = once + tools.real + (tools.real > 0 ? 60 : 0)
  return { head, each, total: head + each.reduce((sum, size) => sum + size, 0) }
}

/** What is left, to the message: the system text and the newest that fit. */
function newestThatFit({ head, each }: Written, messages: readonly Sized[], window: number, byPairs = false): number {
  const system = messages[0]?.role === 'system' ? each[0]! : 0
  let total = head + system
  for (let index = each.length - 1; index > (system > 0 ? 0 : -1); index--) {
    if (total + each[index]! > window) break
    total += each[index]!
    if (byPairs && messages[index]!.role === 'assistant' && index > 0 && total + each[index - 1]! > window) {
      total -= each[index]!
      break
    }
  }
  return total
}

/**
 * How many tokens at the beginning are those of a prompt before. Now and then the server is started anew, and has none.
 */
function createCache(dice: Dice): (prompt: SizedPrompt, written: Written) => number {
  const known = new Map<string, readonly number[]>()
  return ({ thread, messages, tools }, { head, each }) => {
    if (dice.isLucky(0.01)) known.clear()
    const before = known.get(thread) ?? []
    const now = [tools.ours, ...messages.map(({ id }) => id)]
    let same = 0
    while (same < now.length && now[same] === before[same]) same++
    known.set(thread, now)
    return same === 0 ? 0 : head + each.slice(0, same - 1).reduce((sum, size) => sum + size, 0)
  }
}

type Cut = (written: Written, prompt: SizedPrompt, window: number) => number
/** To the message, as Ollama's chat prompt is cut. */
const byMessage: Cut = (written, { messages }, window) => newestThatFit(written, messages, window)
const byPair: Cut = (written, { messages }, window) => newestThatFit(written, messages, window, true)
/** To the token: the newest that there is room for. */
const toTheToken: Cut = (_, __, window) => window
const nearlyToTheToken: Cut = (_, __, window) => window - 1
/** Half of what is not kept at the beginning is given up. */
const half: Cut = (_, __, window) => window - Math.floor((window - 4) / 2)
/** Blocks of half a window are taken out until it fits, as llama.cpp does. */
const blocks: Cut = ({ total }, _, window) => {
  const block = Math.floor(window / 2)
  return total - Math.ceil((total - window + 1) / block) * block
}

/** A server that cuts in a certain way and reports `count` of what is left. */
function cutting(cut: Cut, count: (left: number, cached: number, total: number) => Usage): ServerKind['make'] {
  return (dice, window) => {
    const template = templateOf(dice)
    const cache = createCache(dice)
    return {
      window,
      serve: (prompt) => {
        const written = write(prompt, template)
        const cached = cache(prompt, written)
        const left = written.total > window ? Math.min(written.total, cut(written, prompt, window)) : written.total
        return {
          usage: count(left, left < written.total ? Math.min(cached, Math.floor(left * 0.1)) : cached, written.total),
          cut: written.total - left,
        }
      },
    }
  }
}

/** A server that reads all of it. */
function honest(count: (total: number, cached: number, dice: Dice) => Usage, dropsThoughts = true): ServerKind['make'] {
  return (dice) => {
    const template = templateOf(dice, dropsThoughts)
    const cache = createCache(dice)
    return {
      window: Infinity,
      serve: (prompt) => {
        const written = write(prompt, template)
        return { usage: count(written.total, cache(prompt, written), dice), cut: 0 }
      },
    }
  }
}

const whole = (left: number): Usage => ({ prompt: left })

export const cuttingKinds: readonly ServerKind[] = [
  { name: 'drops the oldest messages', cuts: true, shows: true, countsRead: true, make: cutting(byMessage, whole) },
  { name: 'drops the oldest exchanges', cuts: true, shows: true, make: cutting(byPair, whole) },
  {
    name: 'keeps the newest tokens',
    cuts: true,
    shows: true,
    countsRead: true,
    tools: true,
    make: cutting(toTheToken, whole),
  },
  {
    name: 'keeps the newest tokens, says what was cached',
    cuts: true,
    shows: true,
    make: cutting(nearlyToTheToken, (left, cached) => ({ prompt: left, cached })),
  },
  { name: 'keeps half of its window', cuts: true, shows: true, countsRead: true, make: cutting(half, whole) },
  { name: 'takes out blocks of half a window', cuts: true, shows: true, make: cutting(blocks, whole) },
  { name: 'drops the oldest, images in it', cuts: true, shows: true, images: true, make: cutting(byMessage, whole) },
  {
    name: 'drops the oldest, tools and cached tokens',
    cuts: true,
    shows: true,
    tools: true,
    make: cutting(byMessage, (left, cached) => ({ prompt: left, cached })),
  },
  {
    name: 'counts cached tokens beside the rest',
    cuts: true,
    shows: true,
    make: cutting(byMessage, (left, cached) => ({ prompt: left - cached, cached })),
  },
  {
    name: 'counts before it cuts',
    cuts: true,
    shows: false,
    make: cutting(byMessage, (_, __, total) => ({ prompt: total })),
  },
  { name: 'reports nothing', cuts: true, shows: false, countsRead: true, make: cutting(byMessage, () => ({})) },
  {
    name: 'reports the same number always',
    cuts: true,
    shows: false,
    make: cutting(byMessage, () => ({ prompt: 512 })),
  },
]

export const honestKinds: readonly ServerKind[] = [
  { name: 'plain', cuts: false, shows: true, countsRead: true, make: honest(whole) },
  { name: 'says what was cached', cuts: false, shows: true, make: honest((prompt, cached) => ({ prompt, cached })) },
  {
    name: 'counts cached tokens beside the rest',
    cuts: false,
    shows: true,
    make: honest((total, cached) => ({ prompt: total - cached, cached })),
  },
  {
    name: 'counts only what was not cached',
    cuts: false,
    shows: false,
    countsRead: true,
    make: honest((total, cached) => ({ prompt: total - cached })),
  },
  {
    name: 'the same, its cache often emptied',
    cuts: false,
    shows: false,
    countsRead: true,
    make: honest((total, cached, dice) => ({
      prompt: total - (dice.isLucky(0.3) ? 0 : dice.isLucky(0.5) ? cached : Math.floor(cached * dice.roll())),
    })),
  },
  {
    name: 'the same, with rare hits',
    cuts: false,
    shows: false,
    countsRead: true,
    make: honest((total, cached, dice) => ({
      prompt: total - (dice.isLucky(0.1) ? Math.floor(cached * dice.pick([1, 1, dice.roll()])) : 0),
    })),
  },
  { name: 'images', cuts: false, shows: true, images: true, countsRead: true, make: honest(whole) },
  {
    name: 'tools that change',
    cuts: false,
    shows: true,
    tools: true,
    changingTools: true,
    countsRead: true,
    make: honest(whole),
  },
  {
    name: 'a template that drops reasoning',
    cuts: false,
    shows: true,
    thoughts: true,
    tools: true,
    countsRead: true,
    make: honest(whole),
  },
  {
    name: 'a template that adds a few words',
    cuts: false,
    shows: true,
    countsRead: true,
    make: honest((total, _, dice) => ({ prompt: total + dice.between(0, 40) })),
  },
  {
    name: 'a server that adds up to 500 tokens',
    cuts: false,
    shows: true,
    make: honest((total, _, dice) => ({ prompt: total + dice.between(0, 500) })),
  },
  {
    name: 'another vocabulary, counts missing at times',
    cuts: false,
    shows: true,
    countsRead: true,
    vocabulary: [0.6, 1.6],
    make: honest((total, _, dice) => (dice.isLucky(0.2) ? {} : { prompt: total })),
  },
]
