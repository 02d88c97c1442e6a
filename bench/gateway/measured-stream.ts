import { Agent, request } from 'node:http'
import { now, stampsIn } from '../../tests/support/process/moment.ts'

/** A streamed chat as its client sees it, in microseconds. */
export interface MeasuredStream {
  /** Of each delta, from when the upstream sent it. */
  readonly lags: readonly number[]
  /** From the request to the first delta. */
  readonly first: number
  /** From the last delta to the end. */
  readonly end: number
  /** From the request to the end. */
  readonly whole: number
  readonly text: string
}

export type StreamPath = '/v1/chat/completions' | '/api/chat' | '/v1/messages'

export const clientAgent: Agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Asks and takes the time at which bytes arrive; reads nothing of them but the moments. */
export function measureStream(url: string, path: StreamPath, body: string): Promise<MeasuredStream> {
  const { hostname, port } = new URL(url)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const asked = now()
    const call = request({ agent: clientAgent, hostname, port, path, method: 'POST', headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}${path} answered ${answer.statusCode}.`))
      const lags: number[] = []
      const words: string[] = []
      let first = 0
      let last = 0
      answer.on('data', (bytes: Buffer) => {
        const arrived = now()
        for (const { word, at } of stampsIn(bytes.toString('latin1'))) {
          if (lags.length === 0) first = arrived
          lags.push(arrived - at)
          words.push(word)
          last = arrived
        }
      })
      answer.on('end', () => {
        const ended = now()
        resolve({ lags, first: first - asked, end: ended - last, whole: ended - asked, text: words.join('') })
      })
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.setNoDelay(true)
    call.end(body)
  })
}
