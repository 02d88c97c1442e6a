// A worker: a client of another tenant that asks something short again and again, at a steady pace, and notes how long
// it waits.
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { workOf } from '../support/server-work.ts'

/** What a neighbour is told when it begins. */
export interface NeighbourData {
  readonly url: string
  readonly key: string
  /** Of the server. */
  readonly pid: number
  /** Milliseconds between two questions. */
  readonly every: number
}

/** What a neighbour says when it is asked. */
export interface Waited {
  /** Milliseconds that the server's main thread worked while the neighbour waited, for each question. */
  readonly worked: readonly number[]
  /** Milliseconds that passed meanwhile: other programs on the machine count too. */
  readonly passed: readonly number[]
  /** Answers that were not right. */
  readonly faults: readonly string[]
}

const { url, key, pid, every } = workerData as NeighbourData
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true })

function ask(question: string): Promise<string> {
  const body = JSON.stringify({ model: 'plain', stream: false, messages: [{ role: 'user', content: question }] })
  return new Promise((resolve) => {
    const call = request(
      {
        agent,
        hostname,
        port,
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => void (text += piece))
        answer.on('end', () =>
          resolve(
            answer.statusCode === 200 && text.includes(`"re: ${question}"`)
              ? ''
              : `${answer.statusCode}: ${text.slice(0, 200)}`,
          ),
        )
      },
    )
    // A connection that nobody used for 75 seconds is closed, perhaps just as it is used again: clients then ask once
    // more on another.
    call.on('error', (error) =>
      resolve(call.reusedSocket && 'code' in error && error.code === 'ECONNRESET' ? ask(question) : error.message),
    )
    call.end(body)
  })
}

let waited: { worked: number[]; passed: number[]; faults: string[] } = { worked: [], passed: [], faults: [] }
let count = 0

async function one(): Promise<void> {
  const into = waited
  const [began, before] = [performance.now(), workOf(pid)]
  const fault = await ask(`How are you, ${count++}?`)
  into.worked.push(workOf(pid) - before)
  into.passed.push(performance.now() - began)
  if (fault !== '') into.faults.push(fault)
}

parentPort?.on('message', () => {
  parentPort?.postMessage(waited satisfies Waited)
  waited = { worked: [], passed: [], faults: [] }
})

/**
 * Questions that wait at once, at most: of more the system itself refuses connections if the machine stands still for a
 * minute.
 */
const most = 64
let underWay = 0

// Not one after the other: who waits for an answer would not notice that the next one would have to wait, too.
for (let at = performance.now(); ; at += every) {
  await pause(Math.max(0, at - performance.now()))
  if (underWay >= most) continue
  underWay++
  void one().finally(() => underWay--)
}
