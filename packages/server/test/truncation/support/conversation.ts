import type { Dice } from '../../../../../tests/support/dice.ts'

/** A message by its sizes: in the tokens of the server's model, and by our own estimate. */
export interface Sized {
  readonly id: number
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly real: number
  readonly ours: number
  /** Of our estimate, what is sure. */
  readonly sure: number
  /** Reasoning, in both counts. */
  readonly thought: number
  readonly thoughtOurs: number
  readonly images: number
}

/** A prompt as a server gets it. */
export interface SizedPrompt {
  readonly thread: string
  readonly messages: readonly Sized[]
  readonly tools: { readonly real: number; readonly ours: number }
}

/** How the conversations of a world are. */
export interface Habits {
  readonly window: number
  readonly images?: boolean
  readonly tools?: boolean
  readonly changingTools?: boolean
  readonly thoughts?: boolean
  /** How much the model's vocabulary differs from our estimate, beside what each kind of text does. */
  readonly vocabulary: number
}

/**
 * What texts are made of: how many tokens they have for each of our estimate, at least and at most, and how much of the
 * estimate is sure. As measured with o200k.
 */
const texts = {
  prose: [0.92, 1.04, 1],
  code: [0.75, 0.95, 0.9],
  data: [0.6, 0.78, 0.6],
  script: [0.55, 0.85, 0.5],
  digits: [0.34, 0.66, 0.05],
  rules: [0.1, 0.25, 0.02],
} as const satisfies Readonly<Record<string, readonly [number, number, number]>>
type Text = keyof typeof texts

/** Several threads that take turns, with retries, edits, compactions by the client and one-offs in between. */
export function createConversation(dice: Dice, habits: Habits): { next(): SizedPrompt } {
  let ids = 0
  let opened = 0
  const toolRatio = 0.6 + dice.roll() * 0.8
  const usual = Math.max(24, Math.round(habits.window / dice.between(14, 60)))
  const message = (
    role: Sized['role'],
    size: number,
    text: Text,
    more: { readonly thought?: number; readonly images?: number } = {},
  ): Sized => {
    const [least, most, sure] = texts[text]
    const ratio = (least + dice.roll() * (most - least)) * habits.vocabulary
    const thought = more.thought ?? 0
    return {
      id: ids++,
      role,
      ours: size,
      real: Math.max(1, Math.round(size * ratio)),
      sure: Math.floor(size * sure),
      thought: Math.round(thought * habits.vocabulary),
      thoughtOurs: thought,
      images: more.images ?? 0,
    }
  }
  const tools = (): SizedPrompt['tools'] => {
    if (!habits.tools) return { real: 0, ours: 0 }
    const ours = dice.between(100, Math.round(habits.window / 3))
    return { ours, real: Math.round(ours * toolRatio * (0.9 + dice.roll() * 0.2)) }
  }
  const open = (): Thread => ({
    name: `thread ${++opened}`,
    main: dice.pick<Text>(['prose', 'prose', 'prose', 'code', 'script']),
    tools: tools(),
    messages: dice.isLucky(0.8) ? [message('system', dice.between(20, Math.round(habits.window / 6)), 'prose')] : [],
  })
  const threads = Array.from({ length: dice.pick([1, 1, 2, 3]) }, open)
  const say = (thread: Thread): void => {
    const kind = dice.isLucky(0.85)
      ? thread.main
      : dice.pick<Text>(['prose', 'code', 'data', 'script', 'digits', 'rules'])
    const images = habits.images && dice.isLucky(0.08) ? dice.between(1, 2) : 0
    thread.messages.push(message('user', dice.between(5, dice.isLucky(0.1) ? usual * 3 : usual), kind, { images }))
  }
  const answer = (thread: Thread): void => {
    const thought = habits.thoughts ? dice.between(20, usual * 2) : 0
    thread.messages.push(message('assistant', dice.between(5, usual), thread.main, { thought }))
  }
  return {
    next: () => {
      if (dice.isLucky(0.05))
        return {
          thread: `one-off ${ids}`,
          messages: [message('user', dice.between(20, Math.round(habits.window / 4)), 'prose')],
          tools: { real: 0, ours: 0 },
        }
      const at = dice.between(0, threads.length - 1)
      const thread = threads[at]!
      const last = thread.messages.at(-1)
      const chance = dice.roll()
      if (chance < 0.03 && thread.messages.length > 3) {
        // The same question once more, or another one in its place.
        if (last?.role === 'assistant') thread.messages.pop()
        thread.messages.pop()
        say(thread)
      } else if (chance < 0.045 && thread.messages.length > 9) {
        // The client sums up what was said.
        const kept = thread.messages.slice(-3)
        thread.messages = [...thread.messages.slice(0, 1), message('user', usual * 2, 'prose'), ...kept]
        if (kept.at(-1)?.role !== 'user') say(thread)
      } else if (chance < 0.06) threads[at] = open()
      else if (habits.tools && last?.role === 'user' && dice.isLucky(0.3)) {
        thread.messages.push(
          message(
            'assistant',
            dice.between(10, 60),
            'data',
            habits.thoughts ? { thought: dice.between(20, usual) } : {},
          ),
          message('tool', dice.between(10, usual * 2), dice.pick<Text>(['data', 'prose', 'digits'])),
        )
      }
      const { name, messages, tools: own } = threads[at]!
      if (messages.length === 0 || messages.at(-1)?.role === 'assistant' || messages.at(-1)?.role === 'system')
        say(threads[at]!)
      const prompt = {
        thread: name,
        messages: [...threads[at]!.messages],
        tools: habits.changingTools && dice.isLucky(0.2) ? tools() : own,
      }
      if (habits.tools && dice.isLucky(0.2))
        threads[at]!.messages.push(
          message('assistant', dice.between(10, 60), 'data'),
          message('tool', dice.between(10, usual * 2), 'data'),
        )
      else answer(threads[at]!)
      return prompt
    },
  }
}

interface Thread {
  readonly name: string
  readonly main: Text
  readonly tools: SizedPrompt['tools']
  messages: Sized[]
}
