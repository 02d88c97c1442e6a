// Finding 13: a login of the database without any right listens, and hears what a model says while it is written.
import { hash } from 'node:crypto'
import { migrate, postgresTurns } from '@minutebook/postgres'
import { openBook, type Model } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { servers } from '../../../../tests/support/postgres/database.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { open } from '../../../../tests/support/postgres/failing.ts'
import { feedChannels } from '../support/feed-channels.ts'
import { strangerDatabase } from '../support/stranger.ts'

const canary = 'the launch code is CANARY-77'

describe.each(servers.filter((server) => server !== 'given'))('on Postgres %s', (version) => {
  test('a stranger hears no text, finds no channel, and whoever is told one hears no text either', async (context) => {
    const { url, stranger } = await strangerDatabase(context, version)
    const pool = open({ connectionString: url, max: 12 })
    await migrate(pool)
    const turns = await postgresTurns(pool)
    onTestFinished(() => turns.close())
    const isHeard = deferred<void>()
    const model: Model = async function* () {
      yield { type: 'text', text: canary }
      await isHeard.promise
      yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: canary } }
    }
    const book = openBook({ ...turns.tenant('alpha'), model, window: 4096, clock: systemClock })
    const stop = await book.work()
    onTestFinished(stop)

    const blind = await stranger()
    const guesses = [
      'minutebook_cancel',
      `minutebook_${hash('sha256', JSON.stringify(['alpha', 'garden'])).slice(0, 40)}`,
      `minutebook_${hash('sha256', JSON.stringify(['thread', 'alpha', 'garden'])).slice(0, 40)}`,
      `pgboss_${hash('sha224', 'minutebook_turns').slice(0, 24)}`,
    ]
    for (const guess of guesses) await blind.client.query(`listen "${guess}"`)

    // Another instance, so that there is something to hear.
    const far = await postgresTurns(pool)
    onTestFinished(() => far.close())
    const reader = openBook({ ...far.tenant('alpha'), clock: systemClock })

    // A role that watches over statements can see the name of a channel, and pass it on.
    const told = await stranger()
    const channels = await feedChannels(pool, () => {
      turns.tenant('alpha').feed.publish('garden', { type: 'grown' })
      return far.tenant('alpha').feed.listen('garden', () => undefined)
    })
    for (const channel of channels) await told.client.query(`listen "${channel}"`)

    const turn = book.thread('garden').send('What is it?')
    const seen: string[] = []
    for await (const shown of reader.thread('garden').watch()) {
      if (shown.type === 'text') seen.push(shown.text)
      if (seen.join('') === canary) break
    }
    await expect.poll(() => told.heard.length).toBeGreaterThan(0)
    isHeard.resolve()
    expect((await turn.done).text).toBe(canary)
    // What is sent before this has come when this has.
    await blind.client.query('listen last')
    await pool.query(`select pg_notify('last', '')`)
    await expect.poll(() => blind.heard.at(-1)).toBe('last ')
    expect(blind.heard).toEqual(['last '])
    const all = told.heard
      .flatMap((line) => [line, Buffer.from(line.slice(line.indexOf(' ') + 1), 'base64').toString('latin1')])
      .join('\n')
    for (const word of ['CANARY', 'launch', 'garden', 'alpha', 'text', 'grown']) expect(all).not.toContain(word)

    // Where else a name could be read: the statements of others, the tables, the list of channels.
    const { rows: statements } = await blind.client.query<{ query: string }>(
      `select query from pg_stat_activity where usename = 'minutebook'`,
    )
    expect(statements.length).toBeGreaterThan(0)
    expect(new Set(statements.map(({ query }) => query))).toEqual(new Set(['<insufficient privilege>']))
    expect(
      (await blind.client.query<{ name: string }>('select pg_listening_channels() as name')).rows
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...guesses, 'last'].toSorted())
    for (const table of ['minutebook.secret', 'minutebook.entry', 'minutebook_turns.job'])
      await expect(blind.client.query(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' })
  })
})
