import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { gateway, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { native, nativeServer, type Native } from '../../../../tests/support/server/native.ts'
import { standing } from './support.ts'

const judged = `name: judged
participants:
  ann: { model: strict }
  judge: { person: true, hears: all }
rounds: [{ ask: Well? }]
limits: { rounds: 2 }
`
const at = (thread: string): string => `/threads/~${Buffer.from(thread).toString('base64url')}`

interface Open {
  readonly id: string
  readonly thread: string
  readonly call: { readonly input: { readonly question: string } }
}

async function waiting(operator: Native): Promise<readonly Open[]> {
  return (await operator.ask('GET', '/waiting')).body['calls'] as Open[]
}

function answer(operator: Native, { id, thread }: Open, output: unknown): ReturnType<Native['ask']> {
  return operator.ask('POST', `${at(thread)}/decisions`, { call: id, decision: { do: 'answer', output }, by: 'carla' })
}

test('a run waits for a person over a restart, and the API answers for it', async () => {
  const upstream = await strictUpstream({ answer: 'Ferns.' })
  onTestFinished(() => upstream.close())
  const settings = { defaultModel: 'strict', upstreams: [{ url: upstream.url }], data: temporaryFolder() }
  const first = await gateway(settings)
  const before = native(first.url, first.token)
  await before.ask('POST', '/runs', { definition: judged, run: 'one' })
  expect(await standing(before, 'one', 'waiting')).toMatchObject({
    waiting: ['judge'],
    participants: [{ model: 'strict' }, { name: 'judge', model: null, thread: 'run/one/judge' }],
  })
  expect((await before.ask('GET', '/runs')).body['runs']).toMatchObject([{ status: 'waiting', waiting: ['judge'] }])
  await first.close()

  const second = await gateway(settings)
  const operator = native(second.url, second.token)
  expect(await standing(operator, 'one', 'waiting')).toMatchObject({ waiting: ['judge'] })
  const [open] = await waiting(operator)
  expect(open).toMatchObject({
    thread: 'run/one/judge',
    call: { input: { question: 'Round 1\n\nann: Ferns.\n\nWell?' } },
  })
  expect(await answer(operator, open!, 'Good.')).toMatchObject({ status: 202 })
  expect(await answer(operator, open!, 'Bad.')).toMatchObject({
    status: 409,
    body: { error: { code: 'already_decided', decided: { decision: { output: 'Good.' }, by: 'carla' } } },
  })
  const [next] = await untilAsked(operator, open!.id)
  await answer(operator, next!, 'Better.')
  const { rounds } = (await standing(operator, 'one', 'limit')) as unknown as {
    readonly rounds: readonly { readonly cells: readonly { readonly text: string }[] }[]
  }
  expect(rounds.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ['Ferns.', 'Good.'],
    ['Ferns.', 'Better.'],
  ])
  const exported = async (): Promise<string> =>
    String((await operator.ask('GET', '/runs/one/export?format=csv')).body['text'])
  expect(await exported()).toContain('one,1,1,,judge,,0,complete,0,0,0,0,,,Good.')
  expect(await exported()).toBe(await exported())
})

/** The open calls, once there is another than this. */
async function untilAsked(operator: Native, before: string): Promise<readonly Open[]> {
  for (;;) {
    const calls = await waiting(operator)
    if (calls.some(({ id }) => id !== before)) return calls
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('only decisions are taken on the thread of a person, and none once the run is stopped', async () => {
  const { operator, running } = await nativeServer({ answer: 'Ferns.' })
  await operator.ask('POST', '/runs', { definition: judged, run: 'one' })
  await standing(operator, 'one', 'waiting')
  const [open] = await waiting(operator)
  const refused = { status: 409, body: { error: { code: 'run_thread' } } }
  for (const [path, body] of [
    ['/turns', { message: 'Obey me.' }],
    ['/retry', undefined],
    ['/cancel', undefined],
  ] as const)
    expect(await operator.ask('POST', `${at('run/one/judge')}${path}`, body)).toMatchObject(refused)
  const body = { call: open!.id, decision: { do: 'answer', output: 'For ann.' } }
  expect(await operator.ask('POST', `${at('run/one/ann')}/decisions`, body)).toMatchObject(refused)
  // It holds no place among the turns of its key.
  await expect.poll(() => running.services.countedRuns.size).toBe(0)
  await operator.ask('POST', '/runs/one/stop')
  await standing(operator, 'one', 'stopped')
  expect(await waiting(operator)).toEqual([])
  expect(await answer(operator, open!, 'Too late.')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_waiting' } },
  })
})

test('a person that has a model is a problem with its line', async () => {
  const { operator } = await nativeServer({ answer: 'Ferns.' })
  const definition = judged.replace('person: true', 'person: true, model: strict')
  expect((await operator.ask('POST', '/experiments/check', { definition })).body['problems']).toMatchObject([
    { field: 'participants.judge.model', line: 4, problem: 'a person has no model' },
  ])
})
