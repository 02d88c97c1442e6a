import type { Effect } from './event.ts'
import type { CallInput, ExperimentTool, Participant } from './experiment.ts'

/** By which a participant addresses another. */
export const tellTool = 'tell'

/** Something that was said to somebody. */
export interface Telling {
  readonly to: string
  readonly text: string
}

/** The tool by which a participant addresses those that it can; undefined for one that can address nobody. */
export function tellOf({ tells = [] }: Participant): ExperimentTool | undefined {
  if (tells.length === 0) return undefined
  return {
    description: 'Says something to another participant, who hears it at their next turn.',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string', enum: tells }, text: { type: 'string', description: 'what you say' } },
      required: ['to', 'text'],
    },
    refusal: (_, { input }) => {
      const telling = tellingIn(input)
      if (!telling) return 'it needs `to` and `text`, both texts that are not empty'
      return tells.includes(telling.to) ? undefined : `there is nobody of that name whom you can tell something; there are: ${tells.join(', ')}`
    },
    run: (input) => `${tellingIn(input)!.to} will hear it.`,
    mayRepeat: true,
  }
}

/** What was said by a call; undefined where it said nothing to anybody. */
export function toldBy({ tool, status, input }: Effect): Telling | undefined {
  return tool === tellTool && status === 'done' ? tellingIn(input) : undefined
}

function tellingIn({ to, text }: CallInput): Telling | undefined {
  return typeof to === 'string' && typeof text === 'string' && text !== '' ? { to, text } : undefined
}
