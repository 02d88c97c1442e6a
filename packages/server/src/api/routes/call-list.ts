import { countCallRows, type CallFilter } from '../../archive/call-list.ts'
import { isWithin } from '../../config/caller.ts'
import { forbiddenError } from '../errors.ts'
import { operation, type ApiCall, type Operation } from '../operation.ts'
import { callCounts, callFilter, callPage, listedCallExample, listedCalls } from '../schema/call-list.ts'

/** The model calls of all threads. Only admins see on whose behalf they were. */
export const callListOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/calls',
    id: 'listAllCalls',
    tag: 'record',
    scope: 'viewer',
    summary: 'List the model calls of all threads, the newest first',
    description: 'Cost does not grow with the number of threads or calls.',
    query: callPage,
    status: 200,
    says: 'A page of calls.',
    schema: listedCalls,
    example: { calls: [listedCallExample], from: listedCallExample.ended },
    errors: [],
    answer: async ({ query, call }) => {
      const seesOwners = mayFilter(call, query)
      const page = await call.archive.calls(query)
      if (seesOwners) return page
      return { ...page, calls: page.calls.map(({ owner: _owner, ...listed }) => listed) }
    },
  }),
  operation({
    method: 'get',
    path: '/calls/counts',
    id: 'countCalls',
    tag: 'record',
    scope: 'viewer',
    summary: 'Count the newest model calls by their values',
    description: 'A value is counted among the calls that the filters of the other fields let through.',
    query: callFilter,
    status: 200,
    says: 'The counts, the highest first.',
    schema: callCounts,
    example: {
      looked: 1000,
      whole: false,
      outcome: [{ value: 'stop', count: 996 }],
      model: [{ value: 'gemma3:4b', count: 1000 }],
      owner: [{ value: 'website', count: 1000 }],
      flag: [{ value: 'omitted', count: 31 }],
    },
    errors: [],
    answer: async ({ query, call }) => {
      const seesOwners = mayFilter(call, query)
      const { owner, ...counts } = await countCallRows(call.store, query)
      return seesOwners && owner ? { ...counts, owner } : counts
    },
  }),
]

/** Whether the key may see on whose behalf calls were. Throws `forbidden` if it filters by that and may not. */
function mayFilter({ caller }: ApiCall, { owner }: CallFilter): boolean {
  const isAdmin = isWithin(caller.scope, 'admin')
  if (owner && !isAdmin) throw forbiddenError('admin')
  return isAdmin
}
