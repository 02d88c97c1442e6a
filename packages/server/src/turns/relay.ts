import {
  MinutebookError,
  type Message,
  type ModelOptions,
  type Relay,
  type RelayResult,
  type ToolSchema,
} from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { createNoteParser, overflowOf, type EndEvent } from 'minutebook/wire'
import { chatThreadOptions } from '../gateway/chat-options.ts'
import { refit } from '../gateway/refit.ts'
import { excessIn } from '../protocol/message-limits.ts'
import { ollama } from '../protocol/ollama.ts'
import { openAi } from '../protocol/openai.ts'
import type { Services } from '../services.ts'
import { senderId } from '../stores/setup.ts'
import { readObserver } from '../upstream/read-observer.ts'
import { toldWindow, type Window } from '../upstream/window.ts'
import { settingsAt } from './call-settings.ts'
import { observedModel } from './observed-model.ts'
import { bodyText, upstreamModel, type UpstreamModelOptions } from './model-call.ts'
import { chooseModel, type ChosenModel } from './models.ts'

/** What is said on a thread of the gateway, instead of its client: exactly one of `message`, `results` and `again`. */
export interface RelayTurn {
  readonly message?: string | undefined
  /** Results of the calls that the branch ends with. */
  readonly results?:
    | readonly { readonly id?: string | undefined; readonly name?: string | undefined; readonly text: string }[]
    | undefined
  /** The user entry that is to be answered again. */
  readonly again?: string | undefined
  /** The entry to continue from. Default: the newest. Null: from the beginning. */
  readonly after?: string | null | undefined
  readonly id?: string | undefined
}

export interface RelayPlace {
  readonly tenant: string
  readonly thread: string
  /** A new id for what is said. */
  readonly id: string
  /** The name of the key that says it. */
  readonly owner: string
  /** Whether it is said in the console. */
  readonly inConsole: boolean
}

/** A relay whose question is recorded. */
export interface BegunRelay {
  readonly relay: Relay
  /**
   * Asks the model, passes its text on as it comes, and records the answer. A failure or a stop is recorded as such.
   */
  run(signal: AbortSignal, onText: (text: string) => void): Promise<RelayResult>
}

/**
 * Records a message on a thread of the gateway, as a branch of its own if it is not said at the end. Model and tools
 * are those of the newest call there, or for the question that is answered again. Tool calls stay open until their
 * results are sent.
 */
export async function beginRelay(services: Services, place: RelayPlace, turn: RelayTurn): Promise<BegunRelay> {
  const { store, book } = services.stores.of(place.tenant)
  const log = await store.read(place.thread)
  const { messages, after } = said(log, turn)
  const excess = excessIn(messages)
  if (excess) throw new MinutebookError('malformed_message', `results contains ${excess.what}.`, excess.fix)
  const { model: name, wire, tools = [] } = settingsAt(log, { after, again: turn.again })
  const found = await chooseModel(services, name ?? undefined)
  const chosen: ChosenModel = { ...found, protocol: found.upstream.protocol ?? wire ?? found.protocol }
  const window = await services.windows.of({ ...chosen, ...place })
  const { options } = await chatThreadOptions(services, {
    ...chosen,
    caller: { tenant: place.tenant, name: place.owner },
    window,
    size: { characters: 0, entries: 0 },
    policy: undefined,
  })
  const thread = book.thread(place.thread, options)
  // Messages from the beginning are a whole history.
  const where = after === null ? {} : { alone: true, ...(after !== undefined && { after }) }
  const relay = await thread.relay(messages, {
    ...where,
    id: senderId(place.inConsole ? 'console' : 'relay', turn.id ?? place.id),
    tools,
    flexibleReserve: true,
    owner: place.owner,
  })
  services.metrics.relayed(relay.mode)
  return relayed({ ...place, services, chosen, window, tools, relay })
}

/** A relay whose model is still to be asked. */
export function relayed(called: Called): BegunRelay {
  return { relay: called.relay, run: (signal, onText) => answered(called, signal, onText) }
}

export interface Called extends Pick<RelayPlace, 'tenant' | 'thread' | 'owner'> {
  readonly services: Services
  readonly chosen: ChosenModel
  readonly window: Window
  readonly tools: readonly ToolSchema[]
  readonly relay: Relay
  /** Sent along with the call: in the upstream's own terms, and below it in ours. */
  readonly sent?: UpstreamModelOptions['options'] | undefined
  readonly options?: ModelOptions | undefined
  /**
   * Whether the prompt is sent unchanged or not at all. Default: a prompt that is refused as too long is fitted and
   * sent again.
   */
  readonly isExact?: boolean | undefined
}

async function answered(called: Called, signal: AbortSignal, onText: (text: string) => void): Promise<RelayResult> {
  const { services, chosen, window, tools, relay, tenant, thread, owner, sent, options, isExact = false } = called
  const model = observedModel(
    upstreamModel(services.upstreamClient, chosen, { options: sent }),
    { ...chosen, tenant, thread, options: sent, turn: () => Promise.resolve(relay.question.id) },
    services,
  )
  const notes = services.config.policy.notes ? createNoteParser() : undefined
  let shown = ''
  const tell = (text: string): void => {
    shown += text
    if (text !== '') onText(text)
  }
  let end: EndEvent | undefined
  const asked = { messages: relay.messages, tools, window: window.window, options }
  relay.called()
  try {
    for await (const event of model({ ...asked, signal })) {
      if (event.type !== 'end' && event.text !== '') relay.heard()
      if (event.type === 'text') tell(notes ? notes.push(event.text) : event.text)
      if (event.type === 'end') end = event
    }
  } catch (error) {
    if (signal.aborted) return relay.stop('cancelled', shown, 'cancelled')
    const code = MinutebookError.isInstance(error) ? error.code : 'model_failed'
    const told = !isExact && shown === '' ? overflowOf(error) : undefined
    const fitted =
      told &&
      (await refit(services, { ...chosen, tenant, owner, sent: bodyText(chosen, asked, sent) }, called, told).then(
        (changed) => ({ ...called, ...changed, isExact: true }),
        () => undefined,
      ))
    return fitted ? answered(fitted, signal, onText) : relay.stop('failed', shown, code)
  }
  if (!end) return relay.stop('failed', shown, 'model_cut')
  const onUsage = readObserver(services, { ...chosen, tenant, owner, thread, window })
  return relay.answer(end, {
    window: toldWindow(window).window,
    counts: (chosen.protocol === 'ollama' ? ollama : openAi).counts,
    onUsage,
  })
}

function said(
  log: readonly StoredEntry[],
  { message, results, again, after }: RelayTurn,
): { readonly messages: readonly Message[]; readonly after: string | null | undefined } {
  if ([message, results, again].filter((each) => each !== undefined).length !== 1)
    throw new MinutebookError(
      'malformed_message',
      'A request must have exactly one of message, results and again.',
      'Leave the others out.',
    )
  if (message !== undefined) return { messages: [{ role: 'user', content: message }], after }
  if (results)
    return {
      messages: results.map(({ id, name, text }) => ({
        role: 'tool',
        content: text,
        ...(id !== undefined && { tool_call_id: id }),
        ...(name !== undefined && { tool_name: name }),
      })),
      after,
    }
  const asked = log.find(({ id, kind, status }) => id === again && kind === 'user' && status !== 'erased')
  if (!asked)
    throw new MinutebookError(
      'nothing_to_answer',
      'There is no user message to answer again.',
      'Pass the id of a user entry in the field again.',
    )
  return { messages: [asked.raw], after: asked.parent }
}
