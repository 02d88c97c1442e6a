import type { Pool } from 'pg'
import { expect } from 'vitest'
import { aroundQueries } from './around-queries.ts'

/** The channels on which a pool sends news while `publish` is called again and again: that to all, and at least one other. */
export async function feedChannels(pool: Pool, publish: () => unknown): Promise<string[]> {
  const channels = new Set<string>()
  const end = aroundQueries(pool, (asked, query) => {
    const { text = '', values } = Object(asked) as { readonly text?: string; readonly values?: readonly [string[]] }
    if (text.includes('pg_notify')) for (const channel of values?.[0] ?? []) channels.add(channel)
    return query()
  })
  await expect.poll(() => (publish(), channels.size)).toBeGreaterThan(0)
  end()
  return [...channels]
}
