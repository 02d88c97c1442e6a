import { randomBytes } from 'node:crypto'
import { MinutebookError, type Message, type ToolSchema } from 'minutebook'
import { optionsSent, receiptsOf, type KeptReceipt } from 'minutebook/inspect'
import type { StoredEntry } from 'minutebook/store'
import { chatThreadOptions } from '../gateway/chat-options.ts'
import { newThread } from '../matching/thread-name.ts'
import type { Services } from '../services.ts'
import type { WindowQuestion } from '../upstream/window.ts'
import { settingsOf } from './call-settings.ts'
import { chooseModel, type ChosenModel } from './models.ts'
import type { UpstreamModelOptions } from './model-call.ts'
import { relayed, type BegunRelay } from './relay.ts'

/** A prompt that a model is to answer unchanged. */
export interface AskedPrompt {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[] | undefined
  /** The window that the prompt was made for, in tokens. */
  readonly window: number
  /** Whether an Ollama server loads the model with this window, if it has a smaller one. */
  readonly load?: boolean | undefined
}

/** The model call that the prompt is a variant of. */
export interface CallOfThread {
  readonly tenant: string
  readonly thread: string
  readonly receipt: string
  /** The name of the key that asks. */
  readonly owner: string
}

export interface BegunPrompt extends BegunRelay {
  /** The new thread on which it is asked. */
  readonly thread: string
}

/**
 * Sends a prompt to the model of a recorded call unchanged, on a thread of its own. Nothing is compiled, and the
 * receipt of the new call has the hash of what was sent. Throws `window_too_small` if the model has less room than the
 * prompt was made for.
 *
 * @example
 * const begun = await beginPrompt(services, { tenant, thread: 'garden', receipt, owner }, { messages, window: 3072 })
 */
export async function beginPrompt(
  services: Services,
  { tenant, thread, receipt, owner }: CallOfThread,
  prompt: AskedPrompt,
): Promise<BegunPrompt> {
  const { store, book } = services.stores.of(tenant)
  const log = await store.read(thread)
  const call = callIn(log, receipt)
  const { model, wire, facts } = settingsOf(log, call)
  const found = await chooseModel(services, model ?? undefined)
  const chosen: ChosenModel = { ...found, protocol: found.upstream.protocol ?? wire ?? found.protocol }
  if (wire && wire !== chosen.protocol)
    throw new MinutebookError(
      'other_protocol',
      `This prompt has the form of the protocol ${wire}, but the model now uses ${chosen.protocol}.`,
      'Ask the question again in the thread.',
      { wire, protocol: chosen.protocol },
    )
  const window = await windowFor(services, { ...chosen, tenant, owner }, prompt)
  const { options } = await chatThreadOptions(services, {
    ...chosen,
    caller: { tenant, name: owner },
    window,
    size: { characters: 0, entries: 0 },
    policy: undefined,
  })
  const name = newThread('', { now: Date.now(), random: randomBytes })
  const tools = prompt.tools ?? []
  const relay = await book
    .thread(name, options)
    .relay(prompt.messages, { tools, unchanged: true, trusted: true, owner })
  services.metrics.relayed(relay.mode)
  return {
    thread: name,
    ...relayed({
      services,
      tenant,
      thread: name,
      owner,
      chosen,
      window,
      tools,
      relay,
      sent: facts?.['options'] as UpstreamModelOptions['options'],
      options: optionsSent(call, log),
      isExact: true,
    }),
  }
}

/**
 * The window that the model has, or gets. It is sent to the server unchanged: with a smaller one the server would only
 * load the model again.
 */
async function windowFor(
  { windows }: Services,
  question: WindowQuestion,
  { window: asked, load = false }: AskedPrompt,
): Promise<Awaited<ReturnType<Services['windows']['of']>>> {
  const now = await windows.of(question)
  if (asked <= now.window) return now
  // No source says that it is less.
  if (now.source === 'assumed') return { ...now, window: asked }
  const loaded = await windows.of({ ...question, numCtx: asked })
  if (load && asked <= loaded.window) return loaded
  const canLoad = asked <= loaded.window
  const way = canLoad
    ? 'Set "load" to have the model server load the model with that window, or'
    : 'Give the model server a larger window, or'
  throw new MinutebookError(
    'window_too_small',
    `The prompt was made for a window of ${asked} tokens. It was not sent, because the model has a window of ${now.window} (source: ${now.source}).`,
    `${way} make the prompt for a smaller window.`,
    { window: { asked, given: now.window, source: now.source, canLoad } },
  )
}

function callIn(log: readonly StoredEntry[], receipt: string): KeptReceipt {
  const kept = receiptsOf(log).find(({ id }) => id === receipt)
  if (kept) return kept
  throw new MinutebookError('unknown_call', 'The thread has no such model call.', 'Pass the id of one of its receipts.')
}
