import { operation, type Operation } from '../operation.ts'
import { entryParams } from '../schema/entry.ts'
import { feedback, feedbackChange, feedbackList, feedbackQuery } from '../schema/feedback.ts'

const said = { rating: 'down', comment: 'Ferns want water.', tags: ['facts'] } as const
const about = { thread: 'garden', entry: '9f2c4e', by: 'ann' }

/** What people think of messages. */
export const feedbackOperations: readonly Operation[] = [
  operation({
    method: 'put',
    path: '/threads/{thread}/feedback/{entry}',
    id: 'rateEntry',
    tag: 'threads',
    scope: 'app',
    holdsItself: true,
    summary: 'Rate a message, comment on it, or tag it',
    description:
      'A message of a user, a model or a tool. It is in no prompt. It replaces what the same key said of the message before.',
    params: entryParams,
    body: feedback,
    status: 200,
    says: 'The feedback is recorded.',
    schema: feedbackChange,
    example: { ...about, ...said, changed: true },
    errors: ['unknown_thread', 'unknown_entry', 'run_thread', 'not_ratable', 'invalid_feedback'],
    answer: ({ params: { thread, entry }, body, call }) => call.archive.rate(thread, entry, body, call.caller.name),
  }),
  operation({
    method: 'delete',
    path: '/threads/{thread}/feedback/{entry}',
    id: 'unrateEntry',
    tag: 'threads',
    scope: 'app',
    holdsItself: true,
    summary: 'Take back the feedback of this key for a message',
    params: entryParams,
    status: 200,
    says: 'There is no feedback of this key for the message.',
    schema: feedbackChange,
    example: { ...about, tags: [], changed: true },
    errors: ['unknown_thread', 'unknown_entry', 'run_thread', 'not_ratable'],
    answer: ({ params: { thread, entry }, call }) => call.archive.rate(thread, entry, {}, call.caller.name),
  }),
  operation({
    method: 'get',
    path: '/feedback',
    id: 'listFeedback',
    tag: 'threads',
    scope: 'viewer',
    summary: 'List messages with feedback',
    query: feedbackQuery,
    status: 200,
    says: 'A page of messages, each with what one person thinks of it.',
    schema: feedbackList,
    example: {
      found: [
        {
          thread: 'garden',
          id: '9f2c4e',
          seq: 2,
          kind: 'assistant',
          text: 'Not often.',
          feedback: { id: 'c02d11', by: 'ann', ...said, time: '2026-11-18T12:00:00.000Z' },
        },
      ],
    },
    errors: ['invalid_feedback'],
    answer: ({ query, call }) => call.archive.feedback(query),
  }),
]
