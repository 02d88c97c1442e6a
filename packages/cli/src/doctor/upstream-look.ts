import type { Upstream } from '@minutebook/server'

/** What an upstream reports about itself. */
export interface UpstreamLook {
  readonly url: string
  /** Undefined if it does not answer. */
  readonly kind: 'Ollama' | 'llama.cpp' | 'OpenAI-compatible' | undefined
  readonly version?: string
  readonly models: readonly string[]
  /** The models that Ollama has loaded. */
  readonly loaded: readonly string[]
  /** Milliseconds that its clock is ahead of ours. Undefined if it sends no time. */
  readonly ahead?: number
  /** Why it does not answer, in one word. */
  readonly why?: string
}

/** Asks an upstream what it is and which models it has. Never throws: if it does not answer, the result says so. */
export async function lookAt(upstream: Upstream, milliseconds = 3000): Promise<UpstreamLook> {
  const { url, protocol } = upstream
  const none = { url: publicUrl(url), models: [], loaded: [] }
  const [version, tags, listed] = await Promise.all([
    protocol === 'openai' ? undefined : askUpstream(upstream, '/api/version', milliseconds),
    protocol === 'openai' ? undefined : askUpstream(upstream, '/api/tags', milliseconds),
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
    const props = await askUpstream(upstream, '/props', milliseconds)
    return {
      ...none,
      kind: props.ok ? 'llama.cpp' : 'OpenAI-compatible',
      models: namesIn(listed.json, 'data', 'id'),
      ...skew,
    }
  }
  return { ...none, kind: undefined, why: listed.why ?? version?.why ?? 'no answer' }
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
  { origin, base, key }: Upstream,
  path: string,
  milliseconds: number,
  body?: object,
): Promise<UpstreamAnswer> {
  try {
    const response = await fetch(`${origin}${base}${path}`, {
      method: body ? 'POST' : 'GET',
      redirect: 'error',
      signal: AbortSignal.timeout(milliseconds),
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
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
