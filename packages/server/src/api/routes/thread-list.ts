import { countThreads } from '../../archive/list.ts'
import { isWithin } from '../../config/caller.ts'
import { operation, type Operation } from '../operation.ts'
import { summaryExample } from '../schema/thread.ts'
import { hideQuery, threadCounts, threadList, threadPage } from '../schema/thread-list.ts'

/** The list of threads. Only admins see on whose behalf they are. */
export const threadListOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/threads',
    id: 'listThreads',
    tag: 'threads',
    scope: 'viewer',
    summary: 'List threads, the most recently written first',
    query: threadPage,
    status: 200,
    says: 'A page of threads.',
    schema: threadList,
    example: { threads: [summaryExample] },
    errors: ['invalid_page', 'invalid_metadata', 'invalid_feedback'],
    answer: ({ query, call }) => call.archive.threads({ ...query, owners: isWithin(call.caller.scope, 'admin') }),
  }),
  operation({
    method: 'get',
    path: '/thread-counts',
    id: 'countThreads',
    tag: 'threads',
    scope: 'viewer',
    summary: 'Count the newest threads by sort and by mark',
    query: hideQuery,
    status: 200,
    says: 'The counts.',
    schema: threadCounts,
    example: {
      looked: 500,
      whole: false,
      sorts: { runs: 240, 'one-offs': 31, forks: 2 },
      marks: { truncated: 1, overflow: 0, failed: 3, partial: 0, console: 2 },
    },
    errors: [],
    answer: ({ query: { hide }, call }) => countThreads(call.store, hide),
  }),
]
