import { callArchive, type CallArchive } from '../../archive/calls.ts'
import { configuredCounters } from '../../archive/counters.ts'
import type { Inspection } from '../../archive/inspection.ts'
import { isWithin } from '../../config/caller.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import type { EntryLane } from '../../archive/lane.ts'
import { callParams, calls, callsQuery, counts, inspection, lane, laneQuery } from '../schema/call.ts'
import { entryParams } from '../schema/entry.ts'
import { placeExample, receiptExample } from '../schema/record-examples.ts'
import { threadParams } from '../schema/thread.ts'

const inspected: Inspection = {
  ...placeExample,
  window: 4096,
  reserve: 512,
  tokens: 41,
  overflow: 0,
  counter: 'estimate@1',
  policy: 'default (recall gated)',
  shares: [
    { name: 'latest', tokens: 41 },
    { name: 'free', tokens: 3543 },
    { name: 'reserve', tokens: 512 },
  ],
  entries: [
    {
      id: '9f2c4e',
      seq: 1,
      number: 1,
      kind: 'user',
      verdict: 'verbatim',
      tier: 'current',
      tokens: 12,
      reason: 'current turn',
      title: 'What grows in the shade?',
    },
  ],
  messages: [
    { role: 'user', tokens: 12, pieces: [{ label: 'USER', tier: 'current', entries: ['9f2c4e'], tokens: 7 }] },
  ],
  reused: 0,
  cost: { amount: 0.0021, currency: 'USD' },
  cache: { total: 39, previous: 0, kept: 0, lost: 0 },
  hash: receiptExample.hash,
  same: true,
  erased: false,
  hidden: { entries: 1, messages: 1, tools: 0 },
}

const followed: EntryLane = {
  thread: 'garden',
  entry: '9f2c4e',
  kind: 'user',
  number: 1,
  turn: 1,
  pinned: false,
  head: 'a41d07',
  calls: [
    {
      receipt: 'c02d11',
      turn: 9,
      verdict: 'outlined',
      reason: 'older, only counted',
      tokens: 0,
      same: true,
      since: 9,
      recall: { words: ['tower', 'view'], shared: [], entries: 2, tokens: 180 },
    },
  ],
  earlier: 8,
  without: {
    receipt: 'c02d11',
    turn: 9,
    restorations: [
      { by: 'pin', tokens: 42, verdict: 'verbatim' },
      { by: 'window', tokens: 960, verdict: 'verbatim', changes: { window: 6144 } },
      { by: 'system', tokens: 12, verdict: 'verbatim' },
    ],
  },
}

/** The model calls of a thread, one by one. */
export const callOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/threads/{thread}/calls',
    id: 'listCalls',
    tag: 'record',
    scope: 'viewer',
    summary: 'List the model calls of a branch',
    description: 'Returns only numbers, and no text of the conversation.',
    params: threadParams,
    query: callsQuery,
    status: 200,
    says: 'The calls, oldest first.',
    schema: calls,
    example: {
      calls: [
        {
          receipt: receiptExample,
          turn: 1,
          question: '9f2c4e',
          model: 'gemma3:4b',
          window: 4096,
          reserve: 512,
          policy: 'default (recall gated)',
        },
      ],
    },
    errors: ['unknown_thread', 'unknown_entry'],
    answer: async ({ params: { thread }, query: { head }, call }) => ({
      calls: await (await callArchiveOf(call)).calls(thread, head),
    }),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/calls/{receipt}',
    id: 'inspectCall',
    tag: 'record',
    scope: 'viewer',
    summary: 'Inspect a model call: its window, and what happened to every entry',
    description:
      'Admins also see hidden entries, the prompt and its settings. For other callers these are left out, and `hidden` says how many.',
    params: callParams,
    status: 200,
    says: 'The call.',
    schema: inspection,
    example: inspected,
    errors: ['unknown_thread', 'unknown_call', 'cannot_derive'],
    answer: async ({ params: { thread, receipt }, call }) =>
      (await callArchiveOf(call)).inspect(thread, receipt, isWithin(call.caller.scope, 'admin')),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/entries/{entry}/lane',
    id: 'getLane',
    tag: 'record',
    scope: 'viewer',
    summary: 'Follow an entry through all model calls after it',
    description:
      'Says of each call whether the model had the entry, and of the newest call without it what would have kept it, with prices. Returns no text but the words that recall looked for. An entry that the key may not see is not found.',
    params: entryParams,
    query: laneQuery,
    status: 200,
    says: 'The lane of the entry.',
    schema: lane,
    example: followed,
    errors: ['unknown_thread', 'unknown_entry'],
    answer: ({ params: { thread, entry }, query, call }) =>
      call.archive.lane(thread, entry, { ...query, hidden: isWithin(call.caller.scope, 'admin') }),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/counts',
    id: 'listCounts',
    tag: 'record',
    scope: 'admin',
    summary: 'List the token counts of the texts of a thread',
    description:
      'With these counts, a client that does not have the counter of the thread can build its prompts again.',
    params: threadParams,
    status: 200,
    says: 'The counts.',
    schema: counts,
    example: { counter: { name: 'o200k', overhead: 4 }, counts: { '5d41402abc4b2a76': 7 } },
    errors: ['unknown_thread', 'cannot_derive'],
    answer: async ({ params: { thread }, call }) => (await callArchiveOf(call)).counts(thread),
  }),
]

async function callArchiveOf({ store, services }: ApiCall): Promise<CallArchive> {
  const { config } = services
  return callArchive(store, { counters: await configuredCounters(config), prices: config.prices })
}
