import { eventsIn, type ServerEvent } from './events.ts'
import { createScreen, type Screen } from './screen.ts'

/** A turn as its client saw it. */
export interface Talked {
  readonly thread: string
  readonly question: string
  /** What was shown when the turn was over. */
  readonly shown: string
  readonly status: string
  readonly resets: number
  readonly faults: readonly string[]
  /** How often it came again: with the message, and with its position. */
  readonly tries: number
}

export interface TalkerOptions {
  /** Where to go next; told what went wrong at the place before. */
  readonly address: (failed?: string) => string
  /** Hears every event as it comes. */
  readonly hear?: (event: ServerEvent, thread: string) => void
  /** Told of a request that failed, or of a stream that broke off instead of ending. */
  readonly complain?: (what: string) => void
}

/** What the model says to a question. Its last word is its own, so that an answer without its end is another. */
export function answerTo(question: string): string {
  return `Answer to ${question}: ${'and then there was a little more to say about it '.repeat(4)}end of ${question}`
}

/** Says one thing in a thread and follows its turn to the end, wherever that takes it. */
export async function talk(thread: string, question: string, options: TalkerOptions): Promise<Talked> {
  const screen = createScreen()
  let tries = 0
  let status: string | undefined
  let isRecorded = false
  let url = options.address()
  for (; status === undefined; tries++) {
    if (tries > 400) throw new Error(`${question} came to no end.`)
    try {
      const response: Response = isRecorded
        ? await follow(url, thread, screen.position)
        : await send(url, thread, question)
      if (!response.ok || !response.body)
        throw new Error(
          `${isRecorded ? 'stream' : 'turn'} answered ${response.status}: ${(await response.text()).slice(0, 200)}`,
        )
      for await (const event of eventsIn(response.body)) {
        options.hear?.(event, thread)
        isRecorded ||= event.event === 'recorded'
        if (event.event === 'recorded' && screen.position !== '') continue
        screen.take(event)
        if (event.event === 'end') status = String(event.data['status'])
      }
      if (status === undefined) url = options.address()
    } catch (error) {
      const what = reasonOf(error)
      options.complain?.(what)
      url = options.address(url)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return talkedOf(thread, question, screen, status, tries)
}

/** Makes a thread, however often that has to be tried. */
export async function begin(thread: string, { address, complain }: TalkerOptions): Promise<void> {
  for (let url = address(); ; url = address(url)) {
    try {
      const { ok, status } = await post(url, '/threads', { thread })
      if (ok || status === 409) return
      throw new Error(`threads answered ${status}`)
    } catch (error) {
      complain?.(reasonOf(error))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function talkedOf(
  thread: string,
  question: string,
  { text, resets, faults }: Screen,
  status: string,
  tries: number,
): Talked {
  return { thread, question, shown: text, status, resets, faults, tries }
}

function send(url: string, thread: string, question: string): Promise<Response> {
  return post(url, `/threads/${thread}/turns`, { message: question, id: question }, { accept: 'text/event-stream' })
}

function follow(url: string, thread: string, from: string): Promise<Response> {
  return fetch(`${url}/minutebook/v1/threads/${thread}/stream?until=rest&from=${from}`, {
    headers: { accept: 'text/event-stream' },
  })
}

function post(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/minutebook/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as {
    readonly cause?: { readonly code?: unknown; readonly message?: unknown }
    readonly message?: unknown
  }
  return `${String(message)}${cause ? ` (${String(cause.code ?? cause.message)})` : ''}`
}
