import type { Pool, PoolClient } from 'pg'
import { RoundTrip } from '../../src/connection/round-trip.ts'
import type { Request } from '../../src/connection/statement.ts'

/** A pool whose connections send other texts than they are given. Names stay, so it needs connections of its own. */
export function rewritingPool(pool: Pool, rewrite: (text: string) => string): Pool {
  return watchedPool(pool, (requests) =>
    requests.map(({ statement, values }) => ({ statement: { ...statement, text: rewrite(statement.text) }, values })),
  )
}

/**
 * A pool that shows which statements are sent together, on the way to the server, and sends what it is given for them.
 */
export function watchedPool(pool: Pool, show: (requests: readonly Request[]) => readonly Request[]): Pool {
  return instead(pool, {
    connect: async () => {
      const client: PoolClient = await pool.connect()
      return instead(client, {
        query: (given: unknown) => {
          if (given instanceof RoundTrip) given.requests = show(given.requests)
          return client.query(given as string)
        },
      })
    },
  })
}

/** The same object, but for some methods. */
function instead<T extends object>(object: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const own = methods[name as string] ?? Reflect.get(target, name, target)
      return typeof own === 'function' ? (own.bind(target) as unknown) : own
    },
  })
}

/**
 * A statement without its tenant: wherever it is compared with one, it compares no more. Keys stay, and so does what
 * tells Postgres whose rows this transaction may see.
 */
export function withoutTenant(text: string): string {
  return (
    text
      .replaceAll(/\b(?:\w+\.)?tenant = (\$\d+)/g, '$1::text is not null')
      .replaceAll(/using \(thread, tenant/g, 'using (thread')
      // Searching knows the tenant as a word too.
      .replaceAll(
        /@> (\$\d+)::text\[\]/g,
        `@> array(select word from unnest($1::text[]) as word where word not like '=%')`,
      )
  )
}
