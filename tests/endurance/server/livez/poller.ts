// A thread of its own: asks /livez without a break, and tells when asked how long the longest answer took since it was
// asked before. That is measured in the work of the server's main thread: other programs on the machine do not count.
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { workOf } from '../support/server-work.ts'

/** What the poller is told when it begins. */
export interface PollerData {
  readonly url: string
  /** Of the server. */
  readonly pid: number
}

const { url, pid } = workerData as PollerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0

function ask(): void {
  const before = workOf(pid)
  const request = get(`${url}/livez`, { agent }, (response) => {
    response.resume()
    response.on('end', () => {
      longest = Math.max(longest, workOf(pid) - before)
      setTimeout(ask, 2)
    })
  })
  request.on('error', () => setTimeout(ask, 50))
}

parentPort?.on('message', () => {
  parentPort?.postMessage(longest)
  longest = 0
})
ask()
