// A thread of its own: asks /livez without a break, and tells when asked how long the longest answer took since it was
// asked before.
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
let asked = performance.now()

function ask(): void {
  asked = performance.now()
  const request = get(`${String(workerData)}/livez`, { agent }, (response) => {
    response.resume()
    response.on('end', () => {
      longest = Math.max(longest, performance.now() - asked)
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
