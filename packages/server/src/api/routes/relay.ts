import { randomUUID } from 'node:crypto'
import { beginPrompt } from '../../turns/ask-prompt.ts'
import { beginRelay, type BegunRelay } from '../../turns/relay.ts'
import { turnNamed, type TurnState } from '../../turns/state.ts'
import { eventResponse } from 'minutebook/http'
import { relayEvents, type StreamEvent } from '../events.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { refusedWith } from '../errors.ts'
import { callParams } from '../schema/call.ts'
import { askedPrompt, relayTurn } from '../schema/relay.ts'
import { threadParams } from '../schema/thread.ts'
import { turnExample, turnState as turnSchema } from '../schema/turn.ts'
import { known, writable } from './threads.ts'

/** Single model calls: on threads of the gateway, without their client, and with prompts that are sent unchanged. */
export const relayOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/threads/{thread}/relay',
    id: 'relayTurn',
    tag: 'turns',
    scope: 'app',
    summary: 'Send a message on a thread of the gateway, without its client',
    description:
      'Send exactly one of `message`, `results` and `again`. The model and the tools are those of the newest call on the branch. Tool calls wait until their results are sent. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.',
    params: threadParams,
    body: relayTurn,
    status: 200,
    says: 'The turn, after it was answered or stopped.',
    schema: turnSchema,
    example: { ...turnExample, status: 'complete', answer: 'b71e90', text: 'Ferns do.' },
    media: { 'text/event-stream': { says: 'Events: `recorded`, `text`, `end`, as in the stream of a turn.' } },
    errors: [
      'unknown_thread',
      'run_thread',
      'unknown_entry',
      'id_taken',
      'erased_before',
      'thread_too_large',
      'malformed_message',
      'nothing_to_answer',
      'needs_decision',
      'no_model',
      'unknown_model',
    ],
    answer: async ({ params: { thread }, body, call }) => {
      await writable(call.store, thread)
      const {
        services,
        caller: { tenant, name: owner, inConsole = false },
      } = call
      const place = { tenant, thread, id: randomUUID(), owner, inConsole }
      return answered(call, async () => ({ thread, ...(await beginRelay(services, place, body)) }))
    },
  }),
  operation({
    method: 'post',
    path: '/threads/{thread}/calls/{receipt}/prompts',
    id: 'sendPrompt',
    tag: 'turns',
    scope: 'admin',
    summary: 'Send a prompt unchanged, on a new thread',
    description:
      'Use this to try a variant of a recorded prompt. The model and its options are taken from the recorded call. Nothing is compiled, so the receipt of the new call has the hash of these messages and tools. Tool calls wait until their results are sent to the new thread. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.',
    params: callParams,
    body: askedPrompt,
    status: 200,
    says: 'The turn on the new thread, after it was answered or stopped.',
    schema: turnSchema,
    example: { ...turnExample, status: 'complete', answer: 'b71e90', text: 'Ferns do.' },
    media: { 'text/event-stream': { says: 'Events: `recorded`, `text`, `end`, as in the stream of a turn.' } },
    errors: [
      'unknown_thread',
      'unknown_call',
      'window_too_small',
      'other_protocol',
      'thread_too_large',
      'malformed_message',
      'nothing_to_answer',
      'no_model',
      'unknown_model',
    ],
    answer: async ({ params: { thread, receipt }, body, call }) => {
      await known(call.store, thread)
      const {
        services,
        caller: { tenant, name: owner },
      } = call
      return answered(call, () => beginPrompt(services, { tenant, thread, receipt, owner }, body))
    },
  }),
]

/** Starts a relay if this instance has room for it, and answers with its turn or its stream. */
async function answered(
  call: ApiCall,
  begin: () => Promise<BegunRelay & { readonly thread: string }>,
): Promise<TurnState | Response> {
  const { services, caller, request } = call
  const place = services.turnLimits.enter(caller, 'turn')
  if ('refusal' in place) return refusedWith(place.refusal)
  try {
    const begun = await begin()
    call.tell({ thread: begun.thread, turn: begun.relay.question.id, mode: begun.relay.mode, recorded: true })
    if ((request.headers.get('accept') ?? '').includes('text/event-stream'))
      return streamed(call, begun.thread, begun, place.leave)
    await begun.run(request.signal, () => undefined)
    place.leave()
    return await stateOf(call, begun.thread, begun)
  } catch (error) {
    place.leave()
    throw error
  }
}

function streamed(call: ApiCall, thread: string, begun: BegunRelay, leave: () => void): Response {
  const left = new AbortController()
  const signal = AbortSignal.any([left.signal, call.services.closing])
  const events: AsyncIterable<StreamEvent> = relayEvents(begun, {
    signal,
    state: () => stateOf(call, thread, begun),
    over: leave,
  })
  const onLeft = (): void => {
    left.abort()
    // A relay whose client left before it began never reports its end.
    leave()
  }
  return eventResponse(events, { onLeft, onBroken: call.breakOff })
}

/** The question may be a tool result: the turn is then that of the user's message. */
async function stateOf({ store }: ApiCall, thread: string, { relay: { question } }: BegunRelay): Promise<TurnState> {
  const log = await store.read(thread)
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  let asked = byId.get(question.id)
  while (asked && asked.kind !== 'user') asked = byId.get(asked.parent ?? '')
  const found = asked && (await turnNamed(store, thread, asked.id))
  return found ?? { thread, turn: null, pending: null, status: 'complete', answer: null, text: '', position: '0.0.0' }
}
