import { exportBody } from '../bodies.ts'
import { operation, type ApiCall, type Operation } from '../operation.ts'
import { threadWeight } from '../../stores/thread-weight.ts'
import { entryParams } from '../schema/entry.ts'
import { feedback, feedbackChange, feedbackList, feedbackQuery, ratedQuery } from '../schema/feedback.ts'

const ndjson = 'application/x-ndjson'
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
  operation({
    method: 'get',
    path: '/feedback/export',
    id: 'exportFeedback',
    tag: 'record',
    scope: 'admin',
    summary: 'Export rated messages, with their prompts, as lines of JSON',
    description:
      'One line for each piece of feedback: the prompt as it was sent (null if it cannot be derived), what was said, and the feedback.',
    query: ratedQuery,
    status: 200,
    says: 'The messages, what was rated last first.',
    media: { [ndjson]: { says: 'One line for each piece of feedback.' } },
    errors: ['invalid_feedback', 'overloaded'],
    answer: async ({ query, call }) =>
      new Response(await exportBody(call.archive.exportRated(query, roomFor(call)), call.breakOff), {
        headers: { 'content-type': ndjson },
      }),
  }),
]

/** One thread is held at a time: makes room for the largest so far. */
function roomFor({ hold, store, services }: ApiCall): (thread: string) => Promise<void> {
  let held = 0
  return async (thread) => {
    const weight = await threadWeight(store, thread, services.stores.held)
    if (weight <= held) return
    await hold.thread(weight - held)
    held = weight
  }
}
