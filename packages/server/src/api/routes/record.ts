import { randomBytes } from 'node:crypto'
import { explain, MinutebookError } from 'minutebook'
import type { CallChoice } from 'minutebook/inspect'
import { newThread } from '../../matching/thread-name.ts'
import { bodyTooLong, exportBody, linesOf } from '../bodies.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { printable } from '../printable.ts'
import { cacheUsageExample, cacheUsages } from '../schema/cache.ts'
import { eraseRequest, erasure } from '../schema/erase.ts'
import {
  callQuery,
  dump,
  explanation,
  forkRequest,
  receipts,
  replayChanges,
  replayed,
  stateParams,
  stateQuery,
  threadState,
  verification,
  verifyQuery,
  type CallQuery,
} from '../schema/record.ts'
import { explanationExample, placeExample, receiptExample } from '../schema/record-examples.ts'
import { foundExample, searchQuery, searchResult } from '../schema/search.ts'
import { importedThread, summaryExample, threadParams, threadSummary } from '../schema/thread.ts'

const calls = ['unknown_thread', 'unknown_call', 'no_calls', 'invalid_call', 'cannot_derive'] as const
const asText = { 'text/plain': { says: 'For people. Invisible characters are escaped, so that no text is hidden.' } }
const ndjson = 'application/x-ndjson'

/** What the model saw, and everything else that is recorded. */
export const recordOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/threads/{thread}/receipts',
    id: 'listReceipts',
    tag: 'record',
    scope: 'admin',
    summary: 'List the receipts of the newest branch',
    params: threadParams,
    status: 200,
    says: 'The receipts, oldest first.',
    schema: receipts,
    example: { receipts: [receiptExample] },
    errors: ['unknown_thread'],
    answer: async ({ params: { thread }, call }) => ({ receipts: await call.archive.receipts(thread) }),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/dump',
    id: 'dumpCall',
    tag: 'record',
    scope: 'admin',
    summary: 'Show exactly what the model saw in a call',
    params: threadParams,
    query: callQuery,
    status: 200,
    says: 'The prompt, derived again and checked against its receipt.',
    schema: dump,
    example: {
      ...placeExample,
      messages: [{ role: 'user', content: 'What grows in the shade?' }],
      tools: [],
      text: '--- USER ---\nWhat grows in the shade?',
      hash: receiptExample.hash,
      same: true,
      erased: false,
    },
    media: asText,
    errors: calls,
    answer: async ({ params: { thread }, query, call }) => {
      const found = await call.archive.dump(thread, callIn(query))
      return wantsText(call) ? plain(found.text) : found
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/explain',
    id: 'explainCall',
    tag: 'record',
    scope: 'admin',
    summary: 'Explain why the model saw what it saw in a call',
    params: threadParams,
    query: callQuery,
    status: 200,
    says: 'The plan of the prompt: one verdict for every entry.',
    schema: explanation,
    example: explanationExample,
    media: asText,
    errors: calls,
    answer: async ({ params: { thread }, query, call }) => {
      const found = await call.archive.explain(thread, callIn(query))
      return wantsText(call) ? plain(printable(explain(found.plan, { width: 100 }))) : found
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/cache',
    id: 'listCacheUsage',
    tag: 'record',
    scope: 'admin',
    summary: 'Show for each call why the prompt cache of the model server missed',
    params: threadParams,
    status: 200,
    says: 'The model calls on all branches whose prompts can be derived, oldest first.',
    schema: cacheUsages,
    example: { calls: [{ receipt: receiptExample.id, call: '3.2', model: 'gemma3:4b', ...cacheUsageExample }] },
    errors: ['unknown_thread'],
    answer: async ({ params: { thread }, call }) => ({ calls: await call.archive.cache(thread) }),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/verify',
    id: 'verifyThread',
    tag: 'record',
    scope: 'admin',
    summary: 'Verify every entry and every prompt, or the newest ones',
    params: threadParams,
    query: verifyQuery,
    status: 200,
    says: 'The result of the verification.',
    schema: verification,
    example: { thread: 'garden', ok: true, entries: 7, prompts: 2, underivable: 0, problems: [] },
    errors: ['unknown_thread'],
    answer: ({ params: { thread }, query: { entries, prompts }, call }) =>
      call.archive.verify(thread, entries === undefined && prompts === undefined ? undefined : { entries, prompts }),
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/replay',
    id: 'replayThread',
    reads: true,
    tag: 'record',
    scope: 'admin',
    summary: 'Build the prompts of a thread again, with other options',
    description: 'Calls no model, and writes nothing.',
    params: threadParams,
    body: replayChanges,
    status: 200,
    says: 'The model calls of the newest branch, with the prompts that they would have had.',
    schema: replayed,
    example: {
      calls: [
        {
          receipt: 'c02d11',
          head: '9f2c4e',
          tokens: { sent: 41, replayed: 38, reused: 12 },
          messages: 2,
          same: false,
          verdicts: { verbatim: 2 },
        },
      ],
    },
    errors: ['unknown_thread', 'unknown_policy', 'cannot_derive'],
    answer: async ({ params: { thread }, body, call }) => ({ calls: await call.archive.replay(thread, body) }),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/state/{state}',
    id: 'getState',
    tag: 'threads',
    scope: 'viewer',
    summary: 'Compute a state from the results of its tools',
    params: stateParams,
    query: stateQuery,
    status: 200,
    says: 'The state.',
    schema: threadState,
    example: { thread: 'garden', name: 'basket', value: { items: ['fern'] } },
    errors: ['unknown_thread', 'unknown_state', 'unknown_entry'],
    answer: ({ params: { thread, state }, query, call }) => call.archive.state(thread, state, query),
  }),
  operation({
    method: 'get',
    path: '/search',
    id: 'search',
    tag: 'threads',
    scope: 'viewer',
    summary: 'Search entries that contain every word',
    description:
      'The first million characters of an entry are searched. The answer contains at most four million characters.',
    query: searchQuery,
    status: 200,
    says: 'The matching entries that people may see.',
    schema: searchResult,
    example: { found: [foundExample] },
    errors: ['unknown_thread'],
    answer: async ({ query: { query, ...within }, call }) => ({
      found: await call.archive.search(query, within),
    }),
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/fork',
    id: 'forkThread',
    tag: 'threads',
    scope: 'app',
    summary: 'Fork a thread',
    params: threadParams,
    body: forkRequest,
    bodyOptional: true,
    status: 201,
    says: 'The new thread.',
    schema: threadSummary,
    example: { ...summaryExample, thread: 'garden-2' },
    errors: ['unknown_thread', 'unknown_entry', 'thread_exists', 'invalid_thread'],
    answer: ({
      params: { thread },
      body: { as = newThread('', { now: Date.now(), random: randomBytes }), at },
      call,
    }) => call.archive.fork(thread, { as, at }),
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/erase',
    id: 'eraseThread',
    tag: 'threads',
    scope: 'app',
    summary: 'Erase entries',
    description:
      'The chain of entries stays complete, and can still be verified. The answer says what was erased, and where bytes may remain.',
    params: threadParams,
    body: eraseRequest,
    status: 200,
    says: 'The receipt of the erasure.',
    schema: erasure,
    example: { thread: 'garden', erased: ['9f2c4e'], snapshots: 1, records: 0, images: 0, remains: [] },
    errors: ['unknown_thread', 'unknown_entry'],
    answer: ({ params: { thread }, body: { entries }, call }) => call.archive.erase(thread, entries),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/export',
    id: 'exportThread',
    tag: 'record',
    scope: 'admin',
    summary: 'Export a thread as lines of JSON',
    params: threadParams,
    status: 200,
    says: 'The whole log, in the form that an import reads.',
    media: {
      [ndjson]: { says: 'One entry per line, then the setup of the thread and the ids that clients use for it.' },
    },
    errors: ['unknown_thread'],
    answer: async ({ params: { thread }, call }) =>
      new Response(await exportBody(call.archive.export(thread), call.breakOff), {
        headers: { 'content-type': ndjson },
      }),
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/import',
    id: 'importThread',
    tag: 'record',
    scope: 'admin',
    summary: 'Import a thread from an export',
    description:
      'Imports everything or nothing. If a line is invalid, the error names the line. The answer lists the records that were imported with the entries. If one of them is a setup, later turns use it.',
    params: threadParams,
    takes: ndjson,
    status: 201,
    says: 'The restored thread.',
    schema: importedThread,
    example: { ...summaryExample, records: [{ name: 'setup', key: '', value: { setup: { model: 'gemma3:4b' } } }] },
    errors: ['thread_exists', 'run_thread', 'invalid_thread', 'corrupt_line'],
    answer: ({ params: { thread }, call }) =>
      call.archive.import(
        thread,
        linesOf(call.request, {
          limit: call.services.config.bodyLimit,
          hold: call.hold,
          tooLong: bodyTooLong,
        }),
      ),
  }),
]

function callIn({ turn, receipt }: CallQuery): CallChoice {
  if (turn !== undefined && receipt !== undefined)
    throw new MinutebookError('invalid_call', 'The request names both a turn and a receipt.', 'Pass only one of them.')
  return { turn: turn !== undefined && /^\d{1,9}$/.test(turn) ? Number(turn) : turn, receipt }
}

function wantsText({ request }: ApiCall): boolean {
  return (request.headers.get('accept') ?? '').includes('text/plain')
}

function plain(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
