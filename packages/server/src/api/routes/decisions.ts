import { checkNotOfRun, isOfPerson } from '../../experiments/list.ts'
import { channelOf, mayApprove } from '../../config/caller.ts'
import { decideTurn } from '../../turns/turns.ts'
import { operation, type Operation } from '../operation.ts'
import { callList, callPage, newDecision, openCalls, openExample } from '../schema/decision.ts'
import { threadParams } from '../schema/thread.ts'
import { turnExample, turnState } from '../schema/turn.ts'
import { known } from './threads.ts'
import { admitted, streams } from './turns.ts'

/** Tool calls that wait for a person or a client, and what is decided about them. */
export const decisionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/waiting',
    id: 'listWaiting',
    tag: 'turns',
    scope: 'viewer',
    summary: 'List the calls that wait for a decision, in all threads',
    query: callPage,
    status: 200,
    says: 'The calls, the newest first.',
    schema: callList,
    example: { calls: [{ ...openExample, thread: 'garden' }] },
    errors: ['invalid_page'],
    answer: async ({ query, call }) => call.book.waiting(query),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/waiting',
    id: 'listOpenCalls',
    tag: 'turns',
    scope: 'viewer',
    summary: 'List the calls of a thread that wait for a decision',
    params: threadParams,
    status: 200,
    says: 'The calls, in the order in which the model made them.',
    schema: openCalls,
    example: { calls: [openExample] },
    errors: ['unknown_thread'],
    answer: async ({ params: { thread }, call }) => {
      await known(call.store, thread)
      return { calls: await call.book.thread(thread).waiting() }
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/decisions',
    id: 'decideCall',
    tag: 'turns',
    scope: 'app',
    summary: 'Decide about a call that waits, and continue the turn',
    description:
      'The first decision counts. The same decision again changes nothing, and another one is refused with 409. A call that needs approval is decided by an admin, or with a key that has `decide`; on a server without keys, by anybody. The login through which the decision came is recorded. Any instance continues the turn. For a participant of a run that is a person, the run continues, too. If other calls of the turn still wait, the turn waits again. With `Accept: text/event-stream` the answer is the stream of the turn.',
    params: threadParams,
    body: newDecision,
    status: 202,
    says: 'The decision is recorded.',
    schema: turnState,
    example: turnExample,
    media: streams,
    errors: [
      'unknown_thread',
      'run_thread',
      'not_waiting',
      'already_decided',
      'invalid_decision',
      'may_not_approve',
      'no_model',
      'unknown_model',
    ],
    answer: async ({ params: { thread }, body: { call: id, decision, by }, call }) => {
      const { tenant, name } = call.caller
      await known(call.store, thread)
      // Only the run writes to the threads of its participants. But persons among them answer there.
      if (!(await isOfPerson(call.services.experiments(tenant), call.store, thread)))
        await checkNotOfRun(call.store, thread)
      const deciding = { by, via: channelOf(call.caller), mayApprove: mayApprove(call.caller) }
      return admitted(call, thread, () =>
        decideTurn(call.services, { tenant, thread }, { call: id, decision, ...deciding }, name),
      )
    },
  }),
]
