import pg from 'pg'
import type { SeededThreads } from './threads.ts'
import { firstName, parties, pgbenchHead, pgbenchParty, tenant, term } from './threads.ts'
import { makeTexts } from './texts.ts'
import type { Progress } from '../progress.ts'

/**
 * Fills the tables as life would: entries come one by one, each to another thread, through all of the indexes. They are
 * real ones (payload, checksum, parent) but for their ids, which are digests of something else.
 */
export async function seed(
  superuserUrl: string,
  { count, entriesEach }: SeededThreads,
  progress: Progress,
): Promise<void> {
  const clients = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: superuserUrl })
      await client.connect()
      await client.query('set synchronous_commit = off')
      return client
    }),
  )
  const [first] = clients
  try {
    await first!.query('create table said (number integer primary key, said text not null)')
    await first!.query(
      'insert into said select place - 1, text from unnest($1::text[]) with ordinality as line (text, place)',
      [makeTexts(texts).map((text) => JSON.stringify(text))],
    )
    await first!.query('analyze said')
    await first!.query(threads, [count, entriesEach, Buffer.from(pgbenchHead, 'hex'), term])
    for (let seq = 0; seq < entriesEach; seq++) {
      await Promise.all(clients.map((client, half) => client.query(entries, [count, seq, half, clients.length])))
      progress.step(`entries ${(seq + 1) * count}`)
    }
    await first!.query('drop table said')
    await first!.query('vacuum (freeze, analyze) minutebook.thread, minutebook.entry')
    await first!.query('checkpoint')
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const texts = 2000

const threads = `
insert into minutebook.thread (thread, tenant, head, length, term, written, searched)
select (${firstName} + n)::text, '${tenant}', case n % ${parties} when ${pgbenchParty} then $3::bytea else sha256(convert_to((${firstName} + n)::text || '/' || $2 - 1, 'UTF8')) end, $2::integer, $4::integer, clock_timestamp(), $2::integer
from (select n from generate_series(0, $1::integer - 1) as n order by random()) as shuffled`

const entries = `
insert into minutebook.entry (thread, tenant, seq, id, payload, checksum, written)
select thread, '${tenant}', seq, id, payload, sha256(convert_to(payload, 'UTF8')), clock_timestamp()
from (select n, (${firstName} + n)::text as thread, $2::integer as seq from generate_series($3::integer, $1::integer - 1, $4::integer) as n order by random()) as place
cross join lateral (select sha256(convert_to(thread || '/' || seq, 'UTF8')) as id, case seq when 0 then 'null' else '"' || encode(sha256(convert_to(thread || '/' || seq - 1, 'UTF8')), 'hex') || '"' end as parent, case seq % 2 when 0 then 'user' else 'assistant' end as role) as link
cross join lateral (select '{"version":2,"id":"' || encode(id, 'hex') || '","parent":' || parent || ',"kind":"' || role || '","origin":"' || case seq % 2 when 0 then 'user' else 'model' end || '","status":"complete","time":"2026-11-15T12:00:00.000Z","raw":{"role":"' || role || '","content":' || said || '}}' as payload from said where number = abs(hashint4(n * 64 + seq)) % ${texts}) as line`
