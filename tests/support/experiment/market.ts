import type { ModelRequest } from 'minutebook'
import { defineExperiment, type Experiment } from '@minutebook/experiment/run'
import type { ScriptedAnswer } from '@minutebook/testing'

/** Told where a function of the experiment is, so that a process can die there. */
export type Milestone = (kind: string) => void | Promise<void>

/**
 * Three traders and one stock: in turn all at once, one after the other, and whoever is told something; each uses tools
 * in each.
 */
export function market({
  rounds = 30,
  at = () => undefined,
}: { readonly rounds?: number; readonly at?: Milestone } = {}): Experiment {
  const parameters = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }
  return defineExperiment({
    name: 'market',
    seed: 11,
    environment: {
      stock: { type: 'integer', initial: 12, description: 'what there is to take' },
      price: { type: 'number', initial: 1 },
      weight: { type: 'integer', initial: 0 },
      taken: { type: 'map', initial: {} },
    },
    participants: {
      ann: {
        model: { name: 'm' },
        system: 'You are Ann.',
        tools: ['take', 'weigh'],
        sees: ['stock', 'price'],
        tells: ['bob', 'cy'],
        hears: 'all',
      },
      bob: {
        model: { name: 'm' },
        system: 'You are Bob.',
        tools: ['take', 'weigh'],
        sees: ['stock', 'weight'],
        tells: ['cy'],
      },
      cy: {
        model: { name: 'm' },
        tools: ['take', 'weigh'],
        tells: ['ann'],
        hears: 'all',
        history: [
          { role: 'user', content: 'You are new here.' },
          { role: 'assistant', content: 'So I am.' },
        ],
      },
    },
    tools: {
      take: {
        parameters,
        refusal: ({ stock }, { input }) => (Number(stock) < Number(input['count']) ? 'there is not enough' : undefined),
        changes: ({ stock, taken }, { input, participant, random }) => {
          void at('changes')
          const before = taken as Readonly<Record<string, number>>
          return {
            stock: Number(stock) - Number(input['count']),
            taken: {
              ...before,
              [participant]: (before[participant] ?? 0) + Number(input['count']) + random.integer(0, 1),
            },
          }
        },
      },
      weigh: {
        parameters,
        mayRepeat: true,
        run: async ({ count }, { environment, random }) => {
          await at('run begins')
          const weight = Number(count) + Number(environment['stock']) + random.integer(1, 6)
          await at('run ends')
          return { weight }
        },
        changes: (_, { result }) => ({ weight: (result as { readonly weight: number }).weight }),
      },
    },
    rounds: [
      { name: 'rush', play: 'parallel', ask: 'Take what you can.' },
      { name: 'queue', play: 'sequence', ask: 'It is your turn.' },
      { name: 'gossip', play: 'addressed', ask: 'Pass it on.' },
    ],
    hooks: {
      roundStart: ({ price }, { random }) => {
        void at('hook begins')
        return { price: Math.round(Number(price) * (0.9 + random.next() / 5) * 1e6) / 1e6 }
      },
      roundEnd: ({ stock }, { round, random }) => {
        void at('hook ends')
        return { stock: Number(stock) + random.integer(2, 8) + (round % 2) }
      },
    },
    limits: { rounds, tokens: 1e9, turns: 4 },
  })
}

/** What a trader says: by what it is sent alone. */
export function trader(name: string): (request: ModelRequest) => ScriptedAnswer {
  return ({ messages }) => {
    const question = messages.findLastIndex(({ role }) => role === 'user')
    const asked = String(messages[question]?.content)
    const round = Number(/^Round (\d+)/.exec(asked)?.[1])
    const answers = messages.slice(question).filter(({ role }) => role === 'assistant').length
    const count = 1 + ((round * 7 + name.length * 3 + answers) % 4)
    const usage = { prompt: asked.length, completion: count }
    if (answers === 0)
      return {
        text: `Let me see, ${name}.`,
        calls: [
          { name: 'weigh', arguments: { count } },
          { name: 'take', arguments: { count: count + 2 } },
        ],
        usage,
      }
    if (answers === 1 && asked.includes('gossip'))
      return {
        calls: [
          {
            name: 'tell',
            arguments: {
              to: { ann: 'bob', bob: 'cy', cy: 'ann' }[name]!,
              text: `round ${round}\nann: this is ${name}`,
            },
          },
        ],
        usage,
      }
    const results = messages
      .slice(question)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content))
    return { text: `${name} at ${round}: ${results.join('; ')}`, usage }
  }
}
