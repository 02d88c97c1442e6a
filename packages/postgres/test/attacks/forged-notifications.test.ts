// Finding 13: a login of the database without any right notifies the channels of instances, to end them, to cancel
// turns or to wake workers.
import { hash } from 'node:crypto'
import { migrate, postgresTurns, type Turns } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import type { FeedEvent } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import { Pool, type Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseOf } from '../../src/connection/connection.ts'
import { openChannels, type Address } from '../../src/turns/channels.ts'
import { createListener } from '../../src/turns/listener.ts'
import { crashFleet } from '../../../../tests/support/postgres/crash-fleet.ts'
import { crashClient } from '../../../../tests/support/postgres/crash-client.ts'
import { servers } from '../../../../tests/support/postgres/database.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { open } from '../../../../tests/support/postgres/failing.ts'
import { feedChannels } from '../support/feed-channels.ts'
import { strangerDatabase } from '../support/stranger.ts'
import { traceTable } from '../../../../tests/support/postgres/trace.ts'

const versions = servers.filter((server) => server !== 'given')

/** What is no message of ours, and what looks like one. */
const payloads = [
  '',
  'x',
  '{',
  'null',
  '[]',
  '[1,2,3]',
  '{"type":"text"}',
  '{"type":"grown"}',
  '["default","t","turn"]',
  Buffer.alloc(28).toString('base64'),
  'A'.repeat(7999),
  '\ufffd'.repeat(2000),
]

/** Channels as an instance had them before they were secret, and those of the queue below. */
const guessable = (tenant: string, thread: string): readonly string[] => [
  'minutebook_cancel',
  'minutebook_wake',
  `minutebook_${hash('sha256', JSON.stringify([tenant, thread])).slice(0, 40)}`,
  `minutebook_${hash('sha256', JSON.stringify(['thread', tenant, thread])).slice(0, 40)}`,
  `pgboss_${hash('sha224', 'minutebook_turns').slice(0, 24)}`,
]

async function notify(client: Client, channels: readonly string[]): Promise<void> {
  for (const channel of channels)
    for (const payload of payloads) await client.query('select pg_notify($1, $2)', [channel, payload])
}

describe.each(versions)('on Postgres %s', (version) => {
  test('no notification of a stranger ends an instance, or what it runs', async (context) => {
    const { url, stranger } = await strangerDatabase(context, version)
    const owner = open({ connectionString: url })
    await migrate(owner)
    await owner.query(traceTable)
    const fleet = await crashFleet(1, url, 100)
    const died = fleet.instances
      .values()
      .next()
      .value?.ended.then(() => 'the instance died')
    const front = await crashClient(url)
    const { client } = await stranger()
    await expect(client.query('select * from minutebook.thread')).rejects.toMatchObject({ code: '42501' })

    const thread = front.thread('t')
    const turn = thread.send('hello')
    for await (const event of turn) if (event.type === 'text') break
    await notify(client, [
      ...guessable('default', 't'),
      ...(await secretChannels(url, [['cancel'], ['wake', 'turn'], ['feed']])),
    ])
    expect(await Promise.race([turn.done, died])).toMatchObject({ status: 'complete', text: 'Answer to hello' })
    expect(await Promise.race([thread.send('again').done, died])).toMatchObject({ status: 'complete' })
  })

  test('whoever knows a channel can neither cancel a turn nor make news, also not with what was sent before', async (context) => {
    const { url, stranger } = await strangerDatabase(context, version)
    await migrate(open({ connectionString: url }))
    const [{ turns }, far] = [await instance(url), await instance(url)]
    const begun = deferred<void>()
    const over = deferred<void>()
    const aborted: unknown[] = []
    await turns.tenant().queue.onWake(async (_, signal) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason))
      begun.resolve()
      await over.promise
    })
    const heard: FeedEvent[] = []
    await turns.tenant().feed.listen('t', (news) => void heard.push(news))
    await openBook({ ...turns.tenant(), clock: systemClock })
      .thread('t')
      .send('hello').recorded
    await begun.promise

    const { client, heard: overheard } = await stranger()
    const [cancel = '', toAll = ''] = await secretChannels(url, [['cancel'], ['feed']])
    const feed = far.turns.tenant().feed
    const channels = await feedChannels(far.pool, () => feed.publish('t', { type: 'grown' }))
    for (const channel of [cancel, ...channels]) await client.query(`listen "${channel}"`)
    await notify(client, [cancel, toAll, ...channels])
    // Real messages, sent again where they were not meant to be heard.
    feed.publish('t', newsOf('first'))
    await turns.tenant().queue.cancel('another', 'turn')
    await expect.poll(() => heard.at(-1)).toEqual(newsOf('first'))
    await expect.poll(() => overheard.some((line) => line.startsWith(cancel))).toBe(true)
    for (const line of overheard.slice()) {
      const [sentOn = '', payload = ''] = line.split(' ')
      for (const channel of [cancel, toAll, ...channels])
        if (channel !== sentOn) await client.query('select pg_notify($1, $2)', [channel, payload])
    }
    // Notifications come in the order of their commits: what was sent before this has come when this has.
    feed.publish('t', newsOf('last'))
    await expect.poll(() => heard.at(-1)).toEqual(newsOf('last'))
    over.resolve()
    expect(aborted).toEqual([])
    expect(heard.filter(({ type }) => type === 'text')).toEqual([newsOf('first'), newsOf('last')])
  })
})

async function instance(url: string): Promise<{ readonly turns: Turns; readonly pool: Pool }> {
  const pool = new Pool({ connectionString: url, max: 12 })
  const turns = await postgresTurns(pool)
  onTestFinished(() => turns.close().then(() => pool.end()))
  return { turns, pool }
}

/** The names of channels, as somebody who may read the secret knows them. */
async function secretChannels(url: string, addresses: readonly Address[]): Promise<readonly string[]> {
  const database = databaseOf(open({ connectionString: url }))
  const listener = createListener(database)
  const channels = await openChannels(database, listener)
  await listener.close()
  return addresses.map((address) => channels.sealed(address, null)[0])
}

function newsOf(turn: string): FeedEvent {
  return { type: 'text', turn, term: 1, start: 0, offset: 0, text: turn }
}
