import { request, type Agent } from 'node:http'
import { now, stampsIn } from '../../tests/support/process/moment.ts'

/** A turn as its client sees it, in microseconds. */
export interface NativeTurn {
  readonly kind: 'answered'
  /** Of each delta, from when the upstream sent it. */
  readonly lags: readonly number[]
  /** From the request to the first delta. */
  readonly first: number
  /** From the request to the end. */
  readonly whole: number
  /** What stood there at the end. */
  readonly text: string
  /** Whether what was shown before was a beginning of it. */
  readonly isSteady: boolean
  /** How often the turn was taken over, and its text was void. */
  readonly resets: number
  readonly status: string
}

/** One that was told to come again. */
export interface TurnedAway {
  readonly kind: 'turned away'
  readonly status: number
  readonly retryAfter: string | undefined
  readonly took: number
}

/** One whose stream broke off: the turn goes on, and a client comes again with its position. */
export interface BrokenOff {
  readonly kind: 'broken off'
  readonly after: number
}

export type Outcome = NativeTurn | TurnedAway | BrokenOff

/**
 * Says something in a thread over HTTP and takes the time at which pieces of the answer come. Rejects where there is no
 * connection. `onText`: called with each piece.
 */
export function nativeTurn(
  agent: Agent,
  url: string,
  thread: string,
  turn: { readonly id: string; readonly message: string; readonly model: string },
  onText: () => void = () => undefined,
): Promise<Outcome> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(turn)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'text/event-stream',
  }
  return new Promise((resolve, reject) => {
    const asked = now()
    const call = request(
      { agent, hostname, port, path: `/minutebook/v1/threads/${thread}/turns`, method: 'POST', headers },
      (answer) => {
        const lags: number[] = []
        let shown = ''
        let resets = 0
        let first = 0
        let status = ''
        let entry = ''
        let tail = ''
        answer.on('data', (bytes: Buffer) => {
          const arrived = now()
          // A block that is cut by the network is read with its rest.
          const blocks = (tail + bytes.toString('utf8')).split('\n\n')
          tail = blocks.pop() ?? ''
          for (const block of blocks) {
            if (block.startsWith('event: text')) {
              onText()
              for (const { word, at } of stampsIn(block)) {
                if (lags.length === 0) first = arrived
                lags.push(arrived - at)
                shown += word
              }
            }
            if (block.startsWith('event: reset')) {
              shown = ''
              resets++
            }
            if (block.startsWith('event: entry') && block.includes('"kind":"assistant"')) entry = textIn(block)
            if (block.startsWith('event: end')) status = /"status":"(\w+)"/.exec(block)?.[1] ?? ''
          }
        })
        answer.on('end', () => {
          const took = now() - asked
          if (answer.statusCode === 200 || answer.statusCode === 202)
            resolve({
              kind: 'answered',
              lags,
              first: first - asked,
              whole: took,
              text: entry,
              isSteady: entry.startsWith(shown.trimEnd()),
              resets,
              status,
            })
          else
            resolve({
              kind: 'turned away',
              status: answer.statusCode ?? 0,
              retryAfter: answer.headers['retry-after'],
              took,
            })
        })
        answer.on('error', () => resolve({ kind: 'broken off', after: now() - asked }))
      },
    )
    call.on('error', reject)
    call.setNoDelay(true)
    call.end(body)
  })
}

function textIn(block: string): string {
  const { text } = JSON.parse(block.slice(block.indexOf('data: ') + 'data: '.length)) as { readonly text: string }
  return text
}
