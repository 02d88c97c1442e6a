import type { ModelRequest } from 'minutebook'
import { defineExperiment, type Experiment } from '@minutebook/experiment/run'
import type { ScriptedAnswer } from '@minutebook/testing'
import type { Milestone } from './market.ts'

/** Two who send parcels, which cannot be called back: a tool that may not run again. `ship`: does it in the world. */
export function shop({
  rounds = 8,
  ship = () => undefined,
  at = () => undefined,
}: { readonly rounds?: number; readonly ship?: (parcel: string) => void; readonly at?: Milestone } = {}): Experiment {
  return defineExperiment({
    name: 'shop',
    environment: { sent: { type: 'integer', initial: 0 } },
    participants: {
      ann: { model: { name: 'm' }, system: 'You are Ann.', tools: ['ship'] },
      bob: { model: { name: 'm' }, system: 'You are Bob.', tools: ['ship'] },
    },
    tools: {
      ship: {
        parameters: { type: 'object', properties: { parcel: { type: 'string' } }, required: ['parcel'] },
        run: async (input) => {
          await at('run begins')
          const parcel = input['parcel'] as string
          ship(parcel)
          await at('run ends')
          return `Sent: ${parcel}`
        },
        changes: ({ sent }) => ({ sent: Number(sent) + 1 }),
      },
    },
    rounds: [
      { name: 'rush', play: 'parallel' },
      { name: 'queue', play: 'sequence' },
    ],
    limits: { rounds },
  })
}

/** Sends one parcel a round, and says what it was told. */
export function clerk(name: string): (request: ModelRequest) => ScriptedAnswer {
  return ({ messages }) => {
    const asked = String(messages.findLast(({ role }) => role === 'user')?.content)
    const round = /^Round (\d+)/.exec(asked)?.[1]
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: `I was told: ${String(last.content)}` }
    return { calls: [{ name: 'ship', arguments: { parcel: `${name} ${round}` } }] }
  }
}
