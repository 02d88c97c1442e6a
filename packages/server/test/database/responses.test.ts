import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { strictUpstream } from '@minutebook/testing/server'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { brief, clientOf, echo, failure, given, sent } from '../responses/support/client.ts'

const database = testDatabase()
const model = 'strict'

test('on one database, any instance goes on where another one was', async () => {
  const upstream = await strictUpstream({ answer: echo })
  onTestFinished(() => upstream.close())
  const settings = { database: database.url, upstreams: [{ url: upstream.url }] }
  const clients = [clientOf(await gateway(settings)), clientOf(await gateway(settings))]
  const { id: conversation } = await clients[0]!.conversations.create({ metadata: { a: 'b' } })
  let previous: string | undefined
  for (let turn = 0; turn < 6; turn++) {
    const [here, there] = [clients[turn % 2]!, clients[(turn + 1) % 2]!]
    const { response } = await given(
      here,
      {
        model,
        input: `turn ${turn}`,
        instructions: `as of ${turn}`,
        ...(previous !== undefined && { previous_response_id: previous }),
      },
      turn % 3 === 0,
    )
    const { output_text: text, ...kept } = await there.responses.retrieve(response.id)
    expect({ ...kept, output_text: text }).toEqual(response)
    previous = response.id
    await here.responses.create({ model, input: `said ${turn}`, conversation })
    expect(brief(sent({ upstream })).at(-1)).toBe(`u:said ${turn}`)
  }
  expect(brief(sent({ upstream }))).toHaveLength(11)
  const [one, two] = clients
  expect((await one!.conversations.items.list(conversation, { limit: 100 })).data).toEqual(
    (await two!.conversations.items.list(conversation, { limit: 100 })).data,
  )
  await two!.responses.delete(previous!)
  expect(await failure(one!.responses.retrieve(previous!))).toMatchObject({ status: 404 })
  await two!.conversations.update(conversation, { metadata: { a: 'c' } })
  expect((await one!.conversations.retrieve(conversation)).metadata).toEqual({ a: 'c' })
})
