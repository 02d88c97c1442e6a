import { interruptions } from 'minutebook/inspect'
import type { UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'

/** Two who sell and one who judges: numbers with goals, texts, a truth, and a variable that nobody sees. */
export const market = `name: market day
seed: 7
environment:
  cash: { type: number, initial: 20, description: in dollars }
  lemons: 4
  weather: sunny
  isOpen: true
  tide: 3
participants:
  ann:
    model: strict
    system: You are ann. You run a stand.
    sees: [cash, lemons, weather]
    tools: [buy, sell]
  bob:
    model: strict
    system: You are bob. You help at the stand.
    sees: [cash, weather]
    tools: [sell]
    hears: all
  judge:
    model: strict
    system: You are judge. You look on.
    sees: [cash, isOpen]
    hears: all
rounds:
  - { name: trade, play: sequence, participants: [ann, bob], ask: What do you do today? }
  - { name: talk, play: parallel, ask: Say how it goes. }
tools:
  buy:
    description: Buys lemons for a dollar each.
    parameters: { count: { type: integer, minimum: 1 } }
    require: [{ when: cash >= input.count, otherwise: You cannot pay that. }]
    changes: { cash: cash - input.count, lemons: lemons + input.count }
  sell:
    description: Sells lemons for three dollars each.
    parameters: { count: { type: integer, minimum: 1 } }
    require: [{ when: lemons >= input.count, otherwise: There are not so many lemons. }]
    changes: { cash: cash + input.count * 3, lemons: lemons - input.count }
hooks:
  roundStart: { weather: "random.pick(['sunny', 'cloudy', 'rainy'])" }
  roundEnd: { isOpen: round % 4 != 3, tide: tide + 1 }
goals:
  success: { rich: cash >= 60 }
  failure: { broke: cash < 0 }
limits: { rounds: 12 }
`

/** The same, over after four rounds. */
export const shortMarket: string = market.replace('rounds: 12', 'rounds: 4')

/** What each of them says, the same each time. */
export function marketAnswer({ messages }: UpstreamRequest): UpstreamAnswer {
  const who =
    ['ann', 'bob', 'judge'].find((name) => String(messages[0]?.content).startsWith(`You are ${name}.`)) ?? 'nobody'
  const asked = askedIn(messages)
  const round = roundIn(messages)
  const last = messages.at(-1)
  // A call that a stop cut off was not done: it is made again.
  const isCutOff = last?.content === interruptions.unrun || last?.content === interruptions.cancelled
  if (last?.role === 'tool' && !isCutOff) return { text: said[who]?.[round % 3] ?? `${who} is done.` }
  if (!asked.includes('trade')) return { text: said[who]?.[(round + 1) % 3] ?? `${who} has nothing to say.` }
  return {
    calls: [
      who === 'ann'
        ? { name: 'buy', arguments: { count: 3 } }
        : { name: 'sell', arguments: { count: who === 'nobody' ? 1 : round % 5 === 0 ? 40 : 4 } },
    ],
  }
}

function askedIn(messages: UpstreamRequest['messages']): string {
  return String(messages.findLast(({ role }) => role === 'user')?.content)
}

function roundIn(messages: UpstreamRequest['messages']): number {
  return Number(/^Round (\d+)/.exec(askedIn(messages))?.[1] ?? 0)
}

/** The same, but before these rounds they think until a test has seen enough. */
export function waitingMarket(...rounds: readonly number[]): {
  readonly answer: (request: UpstreamRequest) => Promise<UpstreamAnswer>
  readonly goOn: (round: number) => void
} {
  const gates = new Map(rounds.map((round) => [round, Promise.withResolvers<undefined>()]))
  return {
    answer: async (request) => {
      await gates.get(roundIn(request.messages))?.promise
      return marketAnswer(request)
    },
    goOn: (round) => gates.get(round)?.resolve(undefined),
  }
}

const said: Readonly<Record<string, readonly string[]>> = {
  ann: [
    'I bought three lemons; they were **cheap** this morning.',
    'Three more lemons, since the sun is out and people are thirsty.',
    'We have enough for the afternoon, I think.',
  ],
  bob: [
    'Sold four of them to the hikers who came down from the dam.',
    'A slow hour, then four lemons at once.',
    'Nobody wanted any until noon.',
  ],
  judge: [
    'They work well together, and the till agrees.',
    'I would raise the price a little.',
    'Closing early cost them a few dollars.',
  ],
}

/** A judge who always says the same, and gives 7 points, or 9 if it is warm. */
export const judged = `name: judged
environment: { points: 0 }
participants: { judge: { model: { name: strict, options: { temperature: 0 } }, tools: [rate] } }
tools: { rate: { description: Gives points., parameters: { points: integer }, changes: { points: points + input.points } } }
limits: { rounds: 2 }
`

export function judgedAnswer({ messages, json }: UpstreamRequest): UpstreamAnswer {
  if (messages.at(-1)?.role === 'tool') return { text: 'They work well together.' }
  const { options } = json as { readonly options: { readonly temperature: number } }
  return { calls: [{ name: 'rate', arguments: { points: options.temperature > 0 ? 9 : 7 } }] }
}

/** The same, whose bob thinks without end from the third round on. */
export const slowMarket: string = market
  .replace('name: market day', 'name: slow market')
  .replace('You help at the stand.', 'You help at the slow stand.')

/** What they say in both. */
export async function anyMarketAnswer(request: UpstreamRequest): Promise<UpstreamAnswer> {
  if (String(request.messages[0]?.content).includes('slow') && roundIn(request.messages) === 3)
    await new Promise<never>(() => undefined)
  return marketAnswer(request)
}
