import type { Ollama } from 'ollama'
import { parseJson } from '../log/canonical.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { cut } from '../wire/reply.ts'
import type { Link } from './abort.ts'
import { refusedWith, unreachable, type Failure } from './failure.ts'
import { linesOf, type Body } from './lines.ts'
import { credentialsIn, headerValues } from './redact.ts'

/** A request on its way through the caller's client. */
export interface OllamaCall {
  /** Resolves with the answer's body as soon as the server begins to answer with success. */
  readonly body: Promise<Body>
  /** Takes the request off the client's list: the client would keep it for ever where an answer does not reach its end. */
  forget(): void
}

/**
 * Sends through the client, with its address and headers, so that `client.abort()` aborts it too. The answer is read by
 * us: the client cannot abort one request before its answer begins, leaves out lines that are not JSON, and writes
 * them to the console.
 */
export function ollamaCall(ollama: Pick<Ollama, 'chat'>, request: object, link: Link, secrets: Set<unknown>, failure: Failure): OllamaCall {
  const client = ollama as unknown as Insides
  const started: { body?: Body; ongoing?: unknown } = {}
  const fetch: Fetch = async (address, init) => {
    for (const value of [...headerValues(init.headers), ...credentialsIn(client.config.host)]) secrets.add(value)
    link.follow(init.signal)
    const { fetch: send } = client
    const answer = await send(address, { ...init, signal: link.controller.signal })
    if (!answer.ok) throw refusedWith(answer.status, await said(answer.body), failure)
    started.body = answer.body ?? fail(cut())
    return answer
  }
  const send = async (): Promise<Body> => {
    const derived = Object.create(client, { fetch: { value: fetch } }) as Insides
    started.ongoing = await derived.chat(request).catch((error: unknown) => {
      throw MinutebookError.isInstance(error) ? error : unreachable(error, failure, client.config.host)
    })
    return started.body ?? fail(cut())
  }
  return {
    body: send(),
    forget: () => {
      const { ongoingStreamedRequests: list } = client
      if (list.includes(started.ongoing)) list.splice(list.indexOf(started.ongoing), 1)
    },
  }
}

/** What is used of the client beside its methods. */
interface Insides {
  readonly config: { readonly host?: unknown }
  readonly fetch: Fetch
  readonly ongoingStreamedRequests: unknown[]
  chat(request: object): Promise<unknown>
}

type Fetch = (address: unknown, init: { readonly headers?: unknown; readonly signal?: AbortSignal | null }) => Promise<Answer>

interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly body: Body | null
}

/** What a refusal says: as much of it as could be of use, parsed where it is JSON. */
async function said(body: Body | null): Promise<unknown> {
  let text = ''
  if (!body) return text
  try {
    for await (const line of linesOf(body)) {
      text += `${line.text}\n`
      if (text.length > 65_536) break
    }
  } catch {
    // The status says enough.
  }
  return parseJson(text) ?? text
}
