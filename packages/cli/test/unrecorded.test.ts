import { apiHandler, readConfig, relayChat, serve } from '@minutebook/server'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { fakeAgents } from './support/fake-agent.ts'
import { runCommand } from './support/terminal.ts'

const unstored =
  '! The gateway will not record the chats of codex, which sends store: false. To record them, start it with: MINUTEBOOK_RECORD=always minutebook serve\n'

test.each([
  ['codex', true, unstored],
  ['codex', 'always', ''],
  ['pi', true, ''],
  ['pi', false, expect.stringContaining('because its setting record is false') as string],
] as const)('wrap %s says what a running gateway with record: %s will not record', async (agent, record, errors) => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const config = readConfig({
    flags: { data: data.path, port: 0, record, upstreams: [{ url: upstream.url }] },
    environment: {},
  })
  const running = await serve(config, { chat: relayChat(), api: apiHandler, log: 'silent' })
  const ran = await runCommand(['wrap', '--print', agent], data.path)
  await running.close()
  expect(ran).toMatchObject({ code: 0, errors })
})

test('after the agent, wrap does not say that the newest chat of a running gateway is one of the agent', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const config = readConfig({
    flags: { data: data.path, port: 0, upstreams: [{ url: upstream.url }] },
    environment: {},
  })
  const running = await serve(config, { chat: relayChat(), api: apiHandler, log: 'silent' })
  const environment = { PATH: fakeAgents(data.path, ['pi']) }
  const { code, errors } = await runCommand(['wrap', 'pi', '--', '--exit', '0'], data.path, { environment })
  await running.close()
  expect(code).toBe(0)
  expect(errors).toContain('What the model saw in the newest chat of the gateway: minutebook explain.')
})
