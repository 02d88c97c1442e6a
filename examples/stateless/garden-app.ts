// What does a server look like that keeps nothing? Each request brings its conversation, and goes with it.
import { Hono } from 'hono'
import { defineState, defineTool, openBook, type Message, type Model } from 'minutebook'
import * as z from 'zod'

/** What the client sends: all of the conversation, and the seals that came with it. */
export interface GardenRequest {
  readonly conversation: string
  readonly messages: Message[]
  readonly seals: readonly string[]
}

/** What is new. The client adds it to what it has. */
export interface GardenAnswer {
  readonly messages: readonly Message[]
  readonly seals: readonly string[]
}

const Sown = z.object({ bed: z.number(), plant: z.string() })

/** What grows in which bed: the results of `sow` in the conversation, added up. */
const beds = defineState({
  name: 'beds',
  initial: {} as Readonly<Record<string, string>>,
  tools: { sow: { schema: Sown, reduce: (state, { bed, plant }) => ({ ...state, [bed]: plant }) } },
})

const tools = [
  defineTool({ name: 'sow', description: 'Sows a plant in a bed.', input: Sown, run: (sown) => sown }),
  defineTool({ name: 'look', description: 'Says what grows in which bed.', run: (_, { state }) => state(beds) }),
]

/** `secret`: the same on every server, at least 32 bytes. Only results that were sealed with it count. */
export function gardenApp(model: Model, secret: string): Hono {
  const app = new Hono()
  app.post('/chat', async (c) => {
    const { conversation, messages, seals } = await c.req.json<GardenRequest>()
    const subject = c.req.header('x-user') ?? '' // put your login here
    const book = openBook({ model, window: 4096, tools, seals: { keys: [{ id: 'k1', secret }] } })
    const answer = await book.answer(messages, { subject, conversation, seals }).done
    if (answer.status !== 'complete') return c.text(answer.reason?.message ?? answer.status, 502)
    return c.json<GardenAnswer>({ messages: answer.messages, seals: answer.seals })
  })
  return app
}
