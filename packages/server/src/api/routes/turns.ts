import { MinutebookError, type Turn } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { followed } from '../../telemetry/metrics.ts'
import {
  isResting,
  positionText,
  positionWithin,
  turnNamed,
  turnState,
  waiting,
  type TurnState,
} from '../../turns/state.ts'
import { retryTurn, sendTurn, type SentTurn } from '../../turns/turns.ts'
import { toldWindowLimit } from '../../turns/window-limit.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { cancelled, newTurn, streamQuery, turnExample, turnParams, turnState as turnSchema } from '../schema/turn.ts'
import { threadParams } from '../schema/thread.ts'
import { eventStream } from '../event-stream.ts'
import { sentEvents, streamStart, watchedEvents, type StreamEvent } from '../events.ts'
import { refusedWith } from '../errors.ts'
import { known, writable } from './threads.ts'

const streamExample = [
  'event: recorded\ndata: {"thread":"garden","turn":"9f2c4e","pending":null,"status":"running","answer":null,"text":"","position":"1.0.0"}\n\n',
  'event: text\nid: 2.1.5\ndata: {"term":1,"offset":0,"text":"Ferns"}\n\n',
  'event: end\nid: 5.1.0.end\ndata: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}\n\n',
].join('')
const streams = {
  'text/event-stream': {
    says: 'Events: `recorded`, `text` {term, offset, text}, `reset` {term}, `call`, `result`, `entry`, `end` {status, turn, answer, reason?}. The `id` of an event is the position from which a stream can be resumed. Text belongs to the model call that runs; the entry that follows takes its place.',
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

/** Turns: to ask for one, to follow it, to end it. */
export const turnOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/threads/{thread}/turns',
    id: 'sendTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Says something, and has it answered',
    description:
      'Answers as soon as the message is on record; some instance runs the turn, whoever leaves. With `Accept: text/event-stream` the answer is the stream of the turn.',
    params: threadParams,
    body: newTurn,
    status: 202,
    says: 'The message is on record.',
    schema: turnSchema,
    example: turnExample,
    media: streams,
    errors: speaking,
    answer: async ({ params: { thread }, body, call }) => {
      await writable(call.store, thread)
      return admitted(call, thread, () => sendTurn(call.services, { tenant: call.caller.tenant, thread }, body))
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/retry',
    id: 'retryTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Has the newest message answered again',
    description: 'After a failure where the turn stopped, after an answer on a branch of its own.',
    params: threadParams,
    status: 202,
    says: 'It will be answered.',
    schema: turnSchema,
    example: turnExample,
    media: streams,
    errors: ['unknown_thread', 'run_thread', 'busy', 'nothing_to_answer', 'not_recorded', 'no_model', 'unknown_model'],
    answer: async ({ params: { thread }, call }) => {
      await writable(call.store, thread)
      // What was answered before is not told again.
      const { length } = await call.store.standing(thread)
      return admitted(call, thread, () => retryTurn(call.services, { tenant: call.caller.tenant, thread }), length)
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/cancel',
    id: 'cancelTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Ends the turn that runs, on whatever instance',
    description:
      'What was recorded stays. What waits behind it comes next. Turns of a run are ended by stopping the run.',
    params: threadParams,
    status: 200,
    says: 'No turn of before runs any more.',
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
    summary: 'A turn as it stands',
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
    summary: 'The thread as people see it, live',
    description:
      'On whatever instance its turns run. Whoever loses the connection goes on from the position of the last event, here or on another instance. After `reset` the text of the running model call comes again from its beginning.',
    params: threadParams,
    query: streamQuery,
    status: 200,
    says: 'Events, until the client leaves; with `until=rest` until no turn runs.',
    media: streams,
    errors: ['unknown_thread', 'invalid_position'],
    answer: async ({ params: { thread }, query: { from, until }, call }) => {
      await known(call.store, thread)
      const position = from ?? call.request.headers.get('last-event-id') ?? undefined
      const start =
        position === undefined
          ? await streamStart(call.store, thread)
          : positionWithin(position, await call.store.standing(thread))
      return streamed(call, (signal) =>
        watchedEvents({
          thread: call.book.thread(thread),
          store: call.store,
          from: start,
          signal,
          isOver: (_, length) => until === 'rest' && isResting(call.store, thread, length),
        }),
      )
    },
  }),
]

/** With a place among the turns that this instance takes on; it is left when the turn is over. */
async function admitted(
  call: ApiCall,
  thread: string,
  send: () => Promise<SentTurn>,
  from?: number,
): Promise<TurnState | Response> {
  const place = call.services.turnLimits.enter(call.caller, 'turn')
  if ('refusal' in place) return refusedWith(place.refusal)
  try {
    const sent = await send()
    void sent.turn.done.then(place.leave)
    return await answered(call, thread, sent, from)
  } catch (error) {
    place.leave()
    throw error
  }
}

/** With the turn as soon as its message is on record, or with its stream. */
async function answered(call: ApiCall, thread: string, sent: SentTurn, from?: number): Promise<TurnState | Response> {
  const recorded = (await sent.turn.recorded) as StoredEntry | undefined
  if (!recorded) throw await whyNot(sent.turn)
  const found = recorded.kind === 'user' ? await stateOf(call, thread, recorded) : waiting(thread, recorded)
  const shown = sent.shortfall ? { ...found, window: toldWindowLimit(sent.shortfall) } : found
  const state = from === undefined ? shown : { ...shown, position: positionText({ seq: from, term: 0, offset: 0 }) }
  call.tell({ thread, turn: recorded.id, recorded: true })
  if (!wantsStream(call)) return state
  return streamed(call, (signal) => sentEvents(sent, { store: call.store, recorded, state, signal }), 202)
}

/** Ends when the client leaves, and when the server closes: then it is followed elsewhere. */
function streamed(
  { services: { closing, metrics }, breakOff }: ApiCall,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  status = 200,
): Response {
  const left = new AbortController()
  return eventStream(followed(events(AbortSignal.any([left.signal, closing])), metrics), {
    onLeft: () => left.abort(),
    onBroken: breakOff,
    status,
  })
}

async function stateOf({ store }: ApiCall, thread: string, asked: StoredEntry): Promise<TurnState> {
  return turnState(thread, await store.read(thread, { from: asked.seq }), asked)
}

function wantsStream({ request }: ApiCall): boolean {
  return (request.headers.get('accept') ?? '').includes('text/event-stream')
}

/** Why a message did not get on record. */
async function whyNot(turn: Turn): Promise<unknown> {
  const { reason, error } = await turn.done
  if (error !== undefined) return error
  if (reason?.code === 'busy')
    return new MinutebookError(
      'busy',
      'A turn is running on this thread.',
      'Wait for it, or send with ifBusy "queue" or "interrupt".',
    )
  return new MinutebookError(
    'not_recorded',
    'The message was not put on record: another one was faster, or it was taken back.',
    'Send it again.',
  )
}
