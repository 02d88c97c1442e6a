import { AbstractChat, DefaultChatTransport, type ChatState, type ChatStatus, type UIMessage } from 'ai'
import type { LoadedChat } from '@minutebook/ai-sdk'
import type { Model, ModelEvent } from 'minutebook'

type Handler = (request: Request) => Promise<Response>

/** What a hook holds, without a framework around it. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[]
  constructor(messages: readonly UIMessage[]) {
    this.messages = [...messages]
  }
  pushMessage = (message: UIMessage): void => void (this.messages = [...this.messages, structuredClone(message)])
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1))
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

/** When a page sends by itself what was decided on it. */
type Sending = NonNullable<ConstructorParameters<typeof AbstractChat<UIMessage>>[0]['sendAutomaticallyWhen']>

/** The chat that `useChat` drives, with the transport that it uses by default. */
export class PlainChat extends AbstractChat<UIMessage> {
  constructor(id: string, messages: readonly UIMessage[], handler: Handler, sendAutomaticallyWhen?: Sending) {
    const fetch = ((input: string, init?: RequestInit) =>
      handler(new Request(new URL(input, 'http://app.test'), init))) as typeof globalThis.fetch
    const transport = new DefaultChatTransport<UIMessage>({
      fetch,
      prepareReconnectToStreamRequest: ({ api }) => ({ api: `${api}/${id}/stream?after=${messages.at(-1)?.id}` }),
    })
    super({ id, transport, state: new PlainState(messages), ...(sendAutomaticallyWhen && { sendAutomaticallyWhen }) })
  }
}

/** A page that was just loaded: it has what the server has, and goes on with a running turn. */
export async function loadedPage(id: string, handler: Handler): Promise<{ chat: PlainChat; resumed: Promise<void> }> {
  const response = await handler(new Request(`http://app.test/api/chat/${encodeURIComponent(id)}`))
  const { messages, resume } = (await response.json()) as LoadedChat
  const chat = new PlainChat(id, messages, handler)
  return { chat, resumed: resume ? chat.resumeStream() : Promise.resolve() }
}

/** The messages as JSON holds them. */
export function shownBy(chat: { readonly messages: readonly UIMessage[] }): unknown {
  return JSON.parse(JSON.stringify(chat.messages))
}

/** Lets through as much as it was told, and knows when somebody waits. */
export interface Gate {
  pass(): Promise<void>
  /** Lets this many more through, and resolves when the next one waits, or `over` does. */
  allow(count: number, over: Promise<unknown>): Promise<void>
  open(): void
  readonly passed: number
}

export function createGate(): Gate {
  let [permits, passed] = [0, 0]
  const held: (() => void)[] = []
  const wake = (): void => {
    for (const go of held.splice(0)) go()
  }
  let waits: () => void = () => undefined
  return {
    pass: async () => {
      while (permits === 0) {
        const woken = new Promise<void>((resolve) => held.push(resolve))
        waits()
        await woken
      }
      permits--
      passed++
    },
    allow: async (count, over) => {
      permits += count
      const waiting = new Promise<void>((resolve) => (waits = resolve))
      wake()
      await Promise.race([waiting, over])
    },
    open: () => {
      permits = Infinity
      wake()
    },
    get passed() {
      return passed
    },
  }
}

/** The model, held at the gate before each thing it says. */
export function gated(model: Model, gate: Gate): Model {
  const held = async function* (...[request]: Parameters<Model>): AsyncGenerator<ModelEvent> {
    for await (const event of model(request)) {
      await gate.pass()
      yield event
    }
  }
  return Object.assign(held, model)
}

/** The model, whose calls have no ids, as with older versions of Ollama. */
export function unnumbered(model: Model): Model {
  const bare = async function* (...[request]: Parameters<Model>): AsyncGenerator<ModelEvent> {
    for await (const event of model(request)) yield event.type === 'end' ? withoutIds(event) : event
  }
  return Object.assign(bare, model)
}

function withoutIds(event: Extract<ModelEvent, { type: 'end' }>): ModelEvent {
  const calls = event.message['tool_calls'] as readonly object[] | undefined
  if (!calls) return event
  return { ...event, message: { ...event.message, tool_calls: calls.map((call) => ({ ...call, id: undefined })) } }
}
