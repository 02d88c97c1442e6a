import { compile, defaultPolicy, firstAndRecent, lastMessages, tiered } from 'minutebook'
import { advance, createFold, entriesOf } from 'minutebook/fold'
import { verdicts } from 'minutebook/compile'
import type { Policy } from 'minutebook'
import type { Fold } from 'minutebook/fold'
import type { Message } from '../conversation.ts'
import type { Fate, Prompt, Strategy } from '../strategy.ts'
import { o200k } from '../tokens.ts'
import type { WireMessage } from '../wire-message.ts'
import { fromWire, toWire } from '../wire-message.ts'

/** The default policy from most reuse to most retention: the steps of the frontier. */
const recalls = ['off', 'gated', 'eager'] as const

export const minutebookStrategies: readonly Strategy[] = [
  ...recalls.map((recall) => strategy(`default, recall ${recall}`, true, defaultPolicy({ recall }))),
  strategy('lastMessages(50)', false, lastMessages(50)),
  strategy('tiered({ verbatim: 2 })', false, tiered({ verbatim: 2 })),
  strategy('firstAndRecent()', true, firstAndRecent()),
]

function strategy(name: string, pinsFirst: boolean, policy: Policy): Strategy {
  return {
    name,
    pins: { first: pinsFirst, latest: true },
    ours: true,
    open: ({ window, reserve }) => {
      const options = { window, reserve, policy, counter: o200k }
      let fold = createFold(options)
      const prompt = (): Prompt => promptOf(fold)
      return {
        add: (message) => void (fold = advance(fold, toWire(message))),
        prompt,
        ask: (question) => promptOf(advance(fold, toWire(question))),
      }
    },
  }
}

function promptOf(fold: Fold): Prompt {
  const { messages, plan } = compile(fold)
  const fates: Fate[] = []
  for (const { index, verdict } of verdicts(plan, entriesOf(fold))) fates[index] = fateOf[verdict]
  return {
    messages: messages.map((message): Message => fromWire(message as WireMessage)),
    fate: (index) => fates[index] ?? 'gone',
  }
}

const fateOf = {
  verbatim: 'verbatim',
  recalled: 'verbatim',
  clipped: 'clipped',
  digested: 'gone',
  outlined: 'gone',
  omitted: 'gone',
  hidden: 'gone',
} as const satisfies Record<string, Fate>
