import type { UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'
import { segmentOf } from '../../../client/src/client.ts'
import type { ConsoleServer } from './server.ts'

/** A number from 0 to below `most`, the next one of a row that is the same each time. */
export type Dice = (most: number) => number

export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const nouns = ['fern', 'rose', 'bean', 'shed', 'pond', 'tulip', 'bed', 'key', 'frost', 'slug']

function sentence(dice: Dice, words = 3 + dice(30)): string {
  return `${Array.from({ length: words }, () => `${nouns[dice(nouns.length)]}${dice(9)}`).join(' ')}.`
}

/** Says something, now and then with a note, and where there are tools calls one first. */
export function talker(dice: Dice): (request: UpstreamRequest) => UpstreamAnswer {
  return ({ messages, tools }) => {
    if (tools.length > 0 && messages.at(-1)?.role === 'user' && dice(2) === 0)
      return { calls: [{ name: 'weather', arguments: { bed: dice(40) } }] }
    return { text: `${sentence(dice)}${dice(3) === 0 ? ` [NOTE TO SELF: ${sentence(dice, 4)}]` : ''}` }
  }
}

/** A client of the gateway that re-sends its whole history. */
export async function relayed({ running, keyOf }: ConsoleServer, turns: number, dice: Dice): Promise<string> {
  const messages: object[] = [{ role: 'system', content: 'You help with a garden.' }]
  let thread = ''
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: sentence(dice) })
    const response = await fetch(`${running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('app')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'strict', messages }),
    })
    thread = response.headers.get('minutebook-thread') ?? thread
    messages.push(((await response.json()) as { choices: { message: object }[] }).choices[0]!.message)
  }
  return thread
}

/** Turns of a thread of our own. */
export async function spoken(
  { as }: ConsoleServer,
  thread: string,
  turns: number,
  dice: Dice,
  setup: object = {},
): Promise<string> {
  await as('app').ask('POST', '/threads', { thread, setup: { system: 'You help with a garden.', ...setup } })
  for (let turn = 0; turn < turns; turn++)
    await as('app').stream('POST', `/threads/${segmentOf(thread)}/turns`, { body: { message: sentence(dice) } })
  return thread
}
