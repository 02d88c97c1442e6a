import { sumFigures } from 'minutebook/store'
import type { NamedCalls, Overview } from '../../archive/overview.ts'
import { isWithin, type Caller } from '../../config/caller.ts'
import { forbiddenError } from '../errors.ts'
import { operation, type Operation } from '../operation.ts'
import { overview, overviewQuery } from '../schema/overview.ts'

const figures = sumFigures([
  { calls: 2, cutCalls: 1, sentTokens: 5500, reusedTokens: 1700, readTokens: 3900, cutTokens: 1600, verbatim: 31 },
])

const example: Overview = {
  from: '2026-11-18T14:00:00.000Z',
  to: '2026-11-18T15:00:00.000Z',
  step: 1,
  totals: figures,
  series: [{ from: '2026-11-18T14:00:00.000Z', figures }],
  models: [{ name: 'gemma3:4b', calls: 2 }],
  keys: [{ name: 'shop', calls: 2 }],
  problems: [
    {
      thread: 'garden',
      title: 'What grows in the shade?',
      model: 'gemma3:4b',
      reasons: [{ reason: 'cut', calls: 1, receipt: 'c02d11' }],
      calls: [{ receipt: 'c02d11', sent: 3600, reused: 1700, read: 1990, window: 8192, problems: ['cut'] }],
    },
  ],
  threads: { count: 1, all: true },
}

/** What happened in all threads. */
export const overviewOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/overview',
    id: 'getOverview',
    tag: 'record',
    scope: 'viewer',
    summary: 'Sum up the model calls of all threads, and list the threads that need a look',
    description:
      'Calls are counted when their answer is recorded. The figures stay when a thread is erased or removed. Only the scope admin sees the names of other keys.',
    query: overviewQuery,
    status: 200,
    says: 'Figures over time, and the threads with problems, the worst first.',
    schema: overview,
    example,
    errors: ['invalid_range'],
    answer: async ({ query, call: { archive, caller } }) => {
      if (query.key !== undefined && query.key !== caller.name && !isWithin(caller.scope, 'admin'))
        throw forbiddenError('admin')
      const found = await archive.overview(query)
      return { ...found, keys: keysFor(caller, found.keys) }
    },
  }),
]

/** Names of other keys are for admins. */
function keysFor({ scope, name: own }: Caller, keys: readonly NamedCalls[]): readonly NamedCalls[] {
  if (isWithin(scope, 'admin')) return keys
  const others = keys.filter(({ name }) => name !== own)
  const calls = others.reduce((sum, key) => sum + key.calls, 0)
  return [...keys.filter(({ name }) => name === own), ...(others.length === 0 ? [] : [{ name: null, calls }])]
}
