import { expect, test } from 'vitest'
import { clusterDatabase } from '../../../../tests/support/postgres/cluster-database.ts'
import { testCluster } from '../../../../tests/support/postgres/database.ts'
import { migrateDatabase } from '../../src/index.ts'
import { clientOf, echo, given, seat } from '../responses/support/client.ts'

const model = 'strict'

test('responses that go on from others, branch, and are asked for again write no error to the log of Postgres', async (context) => {
  const cluster = await testCluster(context, { version: 18, durable: false })
  const { url } = await clusterDatabase(cluster)
  await migrateDatabase(url)
  const at = await seat({ answer: echo }, { database: url })
  const { id: conversation } = await at.client.conversations.create()
  const first = await at.client.responses.create({ model, input: 'one', instructions: 'Be brief.' })
  let previous = first.id
  for (const [index, input] of ['two', 'three', 'two', 'two'].entries()) {
    const { response } = await given(
      at.client,
      { model, input, instructions: 'Be brief.', previous_response_id: previous },
      index % 2 === 0,
    )
    expect(await at.client.responses.retrieve(response.id)).toMatchObject({
      instructions: 'Be brief.',
      status: 'completed',
    })
    previous = response.id
    await at.client.responses.create({ model, input, conversation })
  }
  await at.client.responses.create({
    model,
    input: 'a branch',
    instructions: 'Be brief.',
    previous_response_id: first.id,
  })
  const again = clientOf(at.running, 'none', { 'idempotency-key': 'k-1' })
  for (let times = 0; times < 2; times++)
    await again.responses.create({ model, input: 'once', previous_response_id: first.id })
  expect(
    cluster
      .log()
      .split('\n')
      .filter((line) => line.includes('ERROR')),
  ).toEqual([])
})
