import { questionHeaders, type Upstream } from '@minutebook/server'

/** What an upstream reports about itself. */
export interface UpstreamLook {
  readonly url: string
  /** Undefined if it does not answer, or answers without a list of models. */
  readonly kind: 'Ollama' | 'llama.cpp' | 'OpenAI-compatible' | 'Anthropic-compatible' | undefined
  readonly version?: string
  readonly models: readonly string[]
  /** The models that Ollama has loaded. */
  readonly loaded: readonly string[]
  /** Milliseconds that its clock is ahead of ours. Undefined if it sends no time. */
  readonly ahead?: number
  /** The status with which it answers instead of listing its models. */
  readonly unlisted?: number
  /** Why it does not answer, in one word. */
  readonly why?: string
}

/** Asks an upstream what it is and which models it has. Never throws: if it does not answer, the result says so. */
export async function lookAt(upstream: Upstream, milliseconds = 3000): Promise<UpstreamLook> {
  const { url, protocol } = upstream
  const none = { url: publicUrl(url), models: [], loaded: [] }
  const mayBeOllama = protocol === undefined || protocol === 'ollama'
  const [version, tags, listed] = await Promise.all([
    mayBeOllama ? askUpstream(upstream, '/api/version', milliseconds) : undefined,
    mayBeOllama ? askUpstream(upstream, '/api/tags', milliseconds) : undefined,
    askUpstream(upstream, '/v1/models', milliseconds),
  ])
  const skew = aheadOf(listed)
  if (version?.ok === true) {
    const running = await askUpstream(upstream, '/api/ps', milliseconds)
    return {
      ...none,
      kind: 'Ollama',
      version: textOf(version.json, 'version'),
      models: namesIn(tags?.json, 'models', 'name'),
      loaded: namesIn(running.json, 'models', 'name'),
      ...skew,
    }
  }
  if (listed.ok) {
    const isLlama = protocol !== 'anthropic' && (await askUpstream(upstream, '/props', milliseconds)).ok
    return {
      ...none,
      kind: isLlama ? 'llama.cpp' : protocol === 'anthropic' ? 'Anthropic-compatible' : 'OpenAI-compatible',
      models: namesIn(listed.json, 'data', 'id'),
      ...skew,
    }
  }
  const { status = 500 } = listed
  if (status < 500) return { ...none, kind: undefined, unlisted: status, ...skew }
  return { ...none, kind: undefined, why: listed.why ?? version?.why ?? 'no answer' }
}

/** What every command says about an upstream that answers without a list of models. */
export interface Unlisted {
  /** What it does, for a sentence that begins with the upstream. */
  readonly says: string
  /** When nothing is wrong with that. */
  readonly fine: string
  /** What to do if that is not the case. */
  readonly fix: string
}

export function unlistedBy(status: number): Unlisted {
  return status === 401 || status === 403
    ? {
        says: `answers, but needs a key to list its models (status ${status})`,
        fine: 'fine if clients send their own',
        fix: 'Give it a key: set MINUTEBOOK_UPSTREAMS to [{ "url": …, "key": … }], as JSON.',
      }
    : {
        says: `answers, but does not list its models (status ${status})`,
        fine: 'fine if it has no such list',
        fix: 'Check its address, and its protocol if that is set: upstreams in minutebook.yaml, or MINUTEBOOK_UPSTREAMS.',
      }
}

export interface UpstreamAnswer {
  readonly ok: boolean
  readonly status?: number
  readonly json?: unknown
  readonly why?: string
  readonly date?: string | null
}

/** Sends one request. A body is sent as JSON. */
export async function askUpstream(
  upstream: Upstream,
  path: string,
  milliseconds: number,
  body?: object,
): Promise<UpstreamAnswer> {
  try {
    const response = await fetch(`${upstream.origin}${upstream.base}${path}`, {
      method: body ? 'POST' : 'GET',
      // An upstream that sends us elsewhere is not obeyed: its status is told.
      redirect: 'manual',
      signal: AbortSignal.timeout(milliseconds),
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...questionHeaders(upstream),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json: unknown = await response.json().catch(() => undefined)
    return {
      ok: response.ok && json !== undefined,
      status: response.status,
      json,
      date: response.headers.get('date'),
      ...(!response.ok && { why: `status ${response.status}` }),
    }
  } catch (error) {
    const { cause, name } = Object(error) as { readonly cause?: { readonly code?: unknown }; readonly name?: unknown }
    return {
      ok: false,
      why:
        typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? 'no answer in time' : 'no connection',
    }
  }
}

/** The address without the parts that may be secret. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function aheadOf({ date }: UpstreamAnswer): { readonly ahead?: number } {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? {} : { ahead: time - Date.now() }
}

function namesIn(json: unknown, list: string, name: string): string[] {
  const found = (Object(json) as Readonly<Record<string, unknown>>)[list]
  return Array.isArray(found) ? found.map((item: unknown) => textOf(item, name)).filter((text) => text !== '') : []
}

function textOf(json: unknown, name: string): string {
  const value = (Object(json) as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
