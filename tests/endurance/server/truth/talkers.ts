import { dot } from '@minutebook/testing'
import type { Dice } from '../../../support/dice.ts'
import { paths, post } from '../../../../packages/server/test/gateway/support/post.ts'
import { passage } from '../../../../packages/server/test/gateway/support/random-talk.ts'
import type { WireName } from '../../../../packages/server/test/gateway/support/wire.ts'
import type { Native } from '../../../support/server/native.ts'
import { oddTools, oddValue, shuffled } from './odd-tools.ts'

/**
 * The models of the test, with windows in which a conversation soon has no room, has room for a while, and always has
 * room.
 */
export const models = {
  small0: { window: 1800, reserve: 100 },
  middle1: { window: 4000, reserve: 200 },
  large2: { window: 100_000, reserve: 500 },
} as const
const modelNames = Object.keys(models)

/** Somebody who speaks to the server. */
export interface Talker {
  /** Says something, and hears the answer to its end. The number of model calls that it took, as far as it knows. */
  speak(at: Native): Promise<void>
  /** The thread, as soon as it is known. */
  readonly thread: () => string | undefined
}

interface Said {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly name: string } }[]
  readonly [field: string]: unknown
}

/**
 * A client of a chat protocol, which sends its whole history each time: sometimes changed, sometimes cut, with tools in
 * another order of fields.
 */
export function chatTalker(dice: Dice, name: string): Talker {
  const wire: WireName = dice.pick(['ollama', 'openai'] as const)
  let tools = oddTools(dice)
  let thread: string | undefined
  let said: Said[] = dice.isLucky(0.6) ? [{ role: 'system', content: passage(dice, 200) }] : []
  const headers: Record<string, string> = {
    ...(dice.isLucky(0.5) && { 'minutebook-thread': name }),
    ...(dice.isLucky(0.3) && {
      'minutebook-policy': dice.pick(['default', 'lastMessages', 'tiered', 'firstAndRecent']),
    }),
  }
  const question = (): Said => ({
    role: 'user',
    content:
      wire === 'openai' && dice.isLucky(0.1)
        ? [
            { type: 'text', text: passage(dice, 100) },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${dot}` } },
          ]
        : passage(dice, dice.pick([40, 300, 1500])),
    ...(wire === 'ollama' && dice.isLucky(0.1) && { images: [dot] }),
    ...(dice.isLucky(0.1) && { x_own: oddValue(dice, 2) }),
  })
  return {
    thread: () => thread,
    speak: async ({ url, key }) => {
      if (dice.isLucky(0.15)) tools = oddTools(dice)
      // Says something else in place of an earlier question, or forgets where it all began.
      if (said.length > 4 && dice.isLucky(0.12))
        said = said.slice(
          0,
          said.findLastIndex(({ role }, index) => role === 'user' && index < said.length - 2),
        )
      else if (said.length > 6 && dice.isLucky(0.05))
        said = said.filter(({ role }, index) => role === 'system' || index > said.length - 5).slice(dice.below(2))
      if (said[0]?.role === 'system' && dice.isLucky(0.08))
        said = [{ role: 'system', content: passage(dice, 200) }, ...said.slice(1)]
      while (
        said.length > 0 &&
        said.at(-1)?.role !== 'system' &&
        (said.at(-1)?.tool_calls || said.at(-1)?.role === 'user')
      )
        said.pop()
      said.push(question())
      for (let step = 0; step < 4; step++) {
        const body = {
          model: dice.pick(modelNames),
          messages: said.map((message) => (dice.isLucky(0.3) ? shuffled(message, dice) : message)),
          stream: false,
          ...(tools.length > 0 && { tools: shuffled(tools, dice) }),
          ...(dice.isLucky(0.2) && { x_own: oddValue(dice, 2) }),
        }
        const answer = await post(url, paths[wire], body, { authorization: `Bearer ${key}`, ...headers })
        if (answer.status !== 200) break
        if (typeof answer.headers['minutebook-thread'] === 'string') thread = answer.headers['minutebook-thread']
        const { message, choices } = answer.json as { message?: Said; choices?: readonly { readonly message: Said }[] }
        const heard = message ?? choices?.[0]?.message
        if (!heard) break
        said.push(heard)
        if (!heard.tool_calls) break
        for (const {
          id,
          function: { name: called },
        } of heard.tool_calls)
          said.push({
            role: 'tool',
            content: JSON.stringify(oddValue(dice, 2)),
            ...(wire === 'openai' ? { tool_call_id: id } : { tool_name: called }),
          })
      }
    },
  }
}

/** Somebody who sends turns, which the server runs with tools of its own. */
export function turnTalker(dice: Dice, name: string): Talker {
  let isThere = false
  return {
    thread: () => (isThere ? name : undefined),
    speak: async (at) => {
      if (!isThere || dice.isLucky(0.1)) {
        const setup = {
          model: dice.pick(modelNames),
          ...(dice.isLucky(0.6) && { tools: ['look', 'count'].slice(dice.below(2)) }),
          ...(dice.isLucky(0.4) && { system: passage(dice, 150) }),
          ...(dice.isLucky(0.3) && { window: 600 + dice.below(4000) }),
        }
        await (isThere
          ? at.ask('PUT', `/threads/${name}/setup`, setup)
          : at.ask('POST', '/threads', { thread: name, setup }))
        isThere = true
      }
      await at
        .stream('POST', `/threads/${name}/turns`, { body: { message: passage(dice, dice.pick([40, 300, 1200])) } })
        .catch(() => undefined)
    },
  }
}
