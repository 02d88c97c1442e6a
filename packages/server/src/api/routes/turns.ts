import { MinutebookError, type Turn } from 'minutebook'
import { checkPosition, eventResponse, threadEvents, turnEvents } from 'minutebook/http'
import type { StoredEntry } from 'minutebook/store'
import { sendEvents } from '../../http/event-stream.ts'
import { findKept } from '../../stores/setup.ts'
import { followed } from '../../telemetry/metrics.ts'
import { queued, turnNamed, turnState, type TurnState } from '../../turns/state.ts'
import { retryTurn, sendTurn, type SentTurn } from '../../turns/turns.ts'
import { toldWindowLimit } from '../../turns/window-limit.ts'
import { holdThread, operation, type Operation, type ApiCall } from '../operation.ts'
import { cancelled, newTurn, streamQuery, turnExample, turnParams, turnState as turnSchema } from '../schema/turn.ts'
import { threadParams } from '../schema/thread.ts'
import { sentEvents, type StreamEvent } from '../events.ts'
import { refusedWith } from '../errors.ts'
import { known, writable } from './threads.ts'

const streamExample = [
  'event: recorded\ndata: {"thread":"garden","turn":"9f2c4e","pending":null,"status":"running","answer":null,"text":"","position":"1.0.0"}\n\n',
  'event: text\nid: 2.1.5\ndata: {"offset":0,"text":"Ferns"}\n\n',
  'event: end\nid: 5.1.0.end\ndata: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}\n\n',
].join('')
/** The stream of a turn, as an answer. */
export const streams: NonNullable<Operation['media']> = {
  'text/event-stream': {
    says: 'Events: `recorded`, `text` {offset, text}, `reset`, `call`, `result`, `entry`, `branch` {after, entries}, `end` {status, turn, answer, reason?, waiting?}. The `id` of an event is the position from which a stream can be resumed. Text belongs to the running model call. The entry that follows replaces the text.',
    example: streamExample,
  },
}
const speaking = [
  'unknown_thread',
  'run_thread',
  'unknown_entry',
  'busy',
  'id_taken',
  'erased_before',
  'thread_too_large',
  'not_recorded',
  'malformed_message',
  'no_model',
  'unknown_model',
  'unknown_policy',
] as const

/** Turns: start, follow and end them. */
export const turnOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/threads/{thread}/turns',
    id: 'sendTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Send a message and start a turn',
    description:
      'The server answers as soon as the message is recorded. An instance completes the turn even if the client disconnects. With `Accept: text/event-stream` the answer is the stream of the turn.',
    params: threadParams,
    body: newTurn,
    status: 202,
    says: 'The message is recorded.',
    schema: turnSchema,
    example: turnExample,
    media: streams,
    errors: speaking,
    holdsItself: true,
    answer: async ({ params: { thread }, body, call }) => {
      // Asked for together: a database answers all of it at once.
      const [kept] = await Promise.all([
        findKept(call.store, thread),
        writable(call.store, thread),
        holdThread(call, thread),
      ])
      return admitted(call, thread, () =>
        sendTurn(call.services, { tenant: call.caller.tenant, thread }, body, kept, call.caller.name),
      )
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/retry',
    id: 'retryTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Answer the newest message again',
    description:
      'After a failure, the turn continues where it stopped. After an answer, the new answer starts a branch.',
    params: threadParams,
    status: 202,
    says: 'The message will be answered.',
    schema: turnSchema,
    example: turnExample,
    media: streams,
    errors: ['unknown_thread', 'run_thread', 'busy', 'nothing_to_answer', 'not_recorded', 'no_model', 'unknown_model'],
    answer: async ({ params: { thread }, call }) => {
      await writable(call.store, thread)
      return admitted(call, thread, () =>
        retryTurn(call.services, { tenant: call.caller.tenant, thread }, call.caller.name),
      )
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/cancel',
    id: 'cancelTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Cancel the running turn',
    description:
      'Also cancels a turn that runs on another instance. What was recorded stays, and waiting messages are answered next. To end the turns of a run, stop the run.',
    params: threadParams,
    status: 200,
    says: 'No turn that began before this request is running any more.',
    schema: cancelled,
    example: { cancelled: true },
    errors: ['unknown_thread', 'run_thread'],
    answer: async ({ params: { thread }, call }) => {
      await writable(call.store, thread)
      return { cancelled: await call.book.thread(thread).cancel() }
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/turns/{turn}',
    id: 'getTurn',
    tag: 'turns',
    scope: 'viewer',
    summary: 'Show a turn',
    params: turnParams,
    status: 200,
    says: 'The turn.',
    schema: turnSchema,
    example: { ...turnExample, status: 'complete', answer: 'b71e90', text: 'Ferns do.' },
    errors: ['unknown_thread', 'unknown_turn'],
    answer: async ({ params: { thread, turn }, call }) => {
      await known(call.store, thread)
      const found = await turnNamed(call.store, thread, turn)
      if (!found)
        throw new MinutebookError('unknown_turn', 'The thread has no such turn.', 'Pass the id of a user entry.')
      return found
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/stream',
    id: 'streamThread',
    tag: 'turns',
    scope: 'viewer',
    summary: 'Stream a thread',
    description:
      'Any instance can stream the thread, even if another one runs its turns. A client that loses the connection can continue from the position of the last event, on this or another instance. After `reset`, the text of the running model call is sent again from its beginning.',
    params: threadParams,
    query: streamQuery,
    status: 200,
    says: 'Events, until the client disconnects. With `until=rest`, the stream ends when no turn is running.',
    media: streams,
    errors: ['unknown_thread', 'invalid_position'],
    holdsItself: true,
    answer: async ({ params: { thread }, query: { from, until }, call }) => {
      await known(call.store, thread)
      // The header first: an `EventSource` that comes back asks with its first address.
      const position = call.request.headers.get('last-event-id') ?? from
      if (position !== undefined) checkPosition(position, await call.store.standing(thread))
      return sent(call, (signal) => threadEvents(call.book.thread(thread), { from: position ?? 'now', until, signal }))
    },
  }),
]

/** Runs with a place among the turns that this instance accepts. The place is free again when the turn is over. */
export async function admitted(
  call: ApiCall,
  thread: string,
  send: () => Promise<SentTurn>,
): Promise<TurnState | Response> {
  const place = call.services.turnLimits.enter(call.caller, 'turn')
  if ('refusal' in place) return refusedWith(place.refusal)
  try {
    const sent = await send()
    void sent.turn.done.then(place.leave)
    return await answered(call, thread, sent)
  } catch (error) {
    place.leave()
    throw error
  }
}

/** Answers with the turn as soon as its message is recorded, or with its stream. */
async function answered(call: ApiCall, thread: string, asked: SentTurn): Promise<TurnState | Response> {
  const recorded = (await asked.turn.recorded) as StoredEntry | undefined
  if (!recorded) throw await whyNot(asked.turn)
  const found = recorded.kind === 'user' ? await stateOf(call, thread, recorded) : queued(thread, recorded)
  const shown = asked.shortfall ? { ...found, window: toldWindowLimit(asked.shortfall) } : found
  const state = { ...shown, position: (await asked.turn.position) ?? shown.position }
  call.tell({ thread, turn: recorded.id, recorded: true })
  if (!wantsStream(call)) return state
  return sent(call, (signal) => sentEvents(state, turnEvents(asked.thread, asked.turn, { signal })), 202)
}

/** Ends when the client leaves or the server closes. The client then follows on another instance. */
function sent(
  { services: { closing, metrics }, breakOff, outgoing }: ApiCall,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  status = 200,
): Response {
  const left = new AbortController()
  const onLeft = (): void => left.abort()
  const told = followed(events(AbortSignal.any([left.signal, closing])), metrics)
  return outgoing
    ? sendEvents(outgoing, told, { status, onLeft })
    : eventResponse(told, { onLeft, onBroken: breakOff, status })
}

async function stateOf({ store }: ApiCall, thread: string, asked: StoredEntry): Promise<TurnState> {
  return turnState(thread, await store.read(thread, { from: asked.seq }), asked)
}

function wantsStream({ request }: ApiCall): boolean {
  return (request.headers.get('accept') ?? '').includes('text/event-stream')
}

/** Why a message was not recorded. */
async function whyNot(turn: Turn): Promise<unknown> {
  const { reason, error } = await turn.done
  if (error !== undefined) return error
  if (reason?.code === 'busy')
    return new MinutebookError(
      'busy',
      reason.message,
      'Wait until the turn ends, decide about its calls if they wait (GET …/threads/{thread}/waiting), or send the message with ifBusy "queue" or "interrupt".',
    )
  return new MinutebookError(
    'not_recorded',
    'The message was not recorded, because it was withdrawn or because another message was recorded first.',
    'Send the message again.',
  )
}
