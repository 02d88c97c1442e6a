import type { Upstream } from '../upstream.ts'
import type { UpstreamCaller } from '../upstream-call.ts'

const patience = 2000
const longest = 16 << 20

/**
 * Asks an upstream a small question beside the chats. Undefined where it does not answer 200 with JSON in good time.
 */
export function askJson(
  caller: UpstreamCaller,
  upstream: Upstream,
  path: string,
  question?: object,
  longestWait: number = patience,
): Promise<unknown> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const giveUp = (): void => {
      call.abort()
      over(undefined)
    }
    const timer = setTimeout(giveUp, longestWait)
    const over = (answer: unknown): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    const headers = {
      accept: 'application/json',
      ...(question && { 'content-type': 'application/json' }),
      ...(upstream.key !== undefined && { authorization: `Bearer ${upstream.key}` }),
    }
    const body = question && Buffer.from(JSON.stringify(question))
    const call = caller.call(
      { upstream, method: question ? 'POST' : 'GET', path, headers, body },
      {
        head: (status) => {
          if (status !== 200) giveUp()
        },
        data: (bytes) => {
          length += bytes.length
          if (length > longest) giveUp()
          else pieces.push(bytes)
          return true
        },
        end: () => over(parsed(Buffer.concat(pieces).toString())),
        failed: () => over(undefined),
      },
    )
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
