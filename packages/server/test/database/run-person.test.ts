import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { standing } from '../experiments/support.ts'

const database = testDatabase()

test('a person answers on another instance than the one that asked, which is gone', async () => {
  const upstream = await strictUpstream({ answer: 'Ferns.' })
  onTestFinished(() => upstream.close())
  const settings = { defaultModel: 'strict', upstreams: [{ url: upstream.url }], database: database.url }
  const [first, second] = [await gateway(settings), await gateway(settings)]
  const [asking, answering] = [native(first.url, first.token), native(second.url, second.token)]
  const definition = `name: judged
participants: { judge: { person: true }, ann: { model: strict, hears: all } }
limits: { rounds: 1 }
`
  await asking.ask('POST', '/runs', { definition, run: 'one' })
  await standing(asking, 'one', 'waiting')
  await first.close({ patience: 0 })
  const [open] = (await answering.ask('GET', '/waiting')).body['calls'] as { readonly id: string }[]
  const thread = `~${Buffer.from('run/one/judge').toString('base64url')}`
  const seen = await answering.stream('POST', `/threads/${thread}/decisions`, {
    body: { call: open!.id, decision: { do: 'answer', output: 'Moss.' } },
  })
  expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'complete' } })
  const board = await standing(answering, 'one', 'limit', 'error')
  expect(board).toMatchObject({ status: 'limit', rounds: [{ cells: [{ text: 'Moss.' }, { text: 'Ferns.' }] }] })
  expect(JSON.stringify(upstream.requests)).toContain('judge: Moss.')
})
