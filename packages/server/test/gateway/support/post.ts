import { request } from 'undici'

/** A response, byte for byte. */
export interface Posted {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: unknown
  readonly trailers: Readonly<Record<string, string>>
}

/** Posts a chat as it stands, without a client. */
export async function post(
  url: string,
  path: string,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const response = await request(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(path === paths.anthropic && { 'anthropic-version': '2023-06-01' }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // Not by text(), which drops a byte order mark.
  const text = Buffer.from(await response.body.arrayBuffer()).toString()
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: parsed(text),
    trailers: response.trailers,
  }
}

export const paths = { ollama: '/api/chat', openai: '/v1/chat/completions', anthropic: '/v1/messages' } as const

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
