import { Worker } from 'node:worker_threads'

/**
 * How many times longer things may take here than on an idle machine of ours: 1 or more. Limits of time are written for
 * such a machine; `vitest.config.ts` and `within` multiply them. `.ci/run` measures it at its start and passes it on;
 * if nobody has, vitest does.
 */
export const patience: number = patienceFrom(process.env['TEST_PATIENCE'])

/** A limit of time in milliseconds, as on an idle machine, for this one. */
export function within(milliseconds: number): number {
  return Math.ceil(milliseconds * patience)
}

/** What bare loops on two threads tell of a machine. */
export interface Measured {
  /** To multiply limits with. */
  readonly factor: number
  /** Milliseconds from the beginning to the end of the slower loop, and what the faster one took of its processor. */
  readonly wall: number
  readonly processor: number
  /** How many of two cores the loops had for themselves. */
  readonly cores: number
}

/**
 * Milliseconds of one core for the loop below: the least of 60 loops on 2026-11-16, with Node 24.21 on two cores of an
 * Intel Xeon (Cascade Lake) at 2.5 GHz. That is the machine on which limits of time in tests were chosen. A slower
 * machine and a busier one are alike to a test: both make the loops take longer.
 */
const referenceLoop = 166

/** Beyond it a test that hangs would be waited for too long. */
const mostPatience = 10

const loop = `
  const { parentPort } = require('node:worker_threads')
  const spent = () => { const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)(); return (user + system) / 1000 }
  const work = (rounds) => { let x = 1; for (let round = 0; round < rounds; round++) x = (Math.imul(x, 1664525) + 1013904223) ^ (x >>> 7); return x }
  work(1e6)
  const [began, before] = [performance.now(), spent()]
  const x = work(1e8)
  parentPort.postMessage({ wall: performance.now() - began, processor: spent() - before, x })
`

/** Runs the loop on two threads at once, as many as a small machine has cores for. */
export async function measurePatience(): Promise<Measured> {
  const loops = await Promise.all([bareLoop(), bareLoop()])
  const wall = Math.max(...loops.map((each) => each.wall))
  const processor = Math.min(...loops.map((each) => each.processor))
  const cores = loops.reduce((sum, each) => sum + each.processor, 0) / wall
  return {
    factor: Math.min(mostPatience, Math.max(1, Math.round((wall / referenceLoop) * 10) / 10)),
    wall,
    processor,
    cores,
  }
}

/** One line for people. */
export function patienceLine({ factor, wall, processor, cores }: Measured): string {
  return `patience ${factor}: a bare loop on two threads took ${Math.round(wall)} ms, ${Math.round(processor)} of them on a core (${referenceLoop} on the machine of reference); ${cores.toFixed(1)} of 2 cores were free`
}

interface Looped {
  readonly wall: number
  readonly processor: number
}

function bareLoop(): Promise<Looped> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(loop, { eval: true, execArgv: [] })
    worker.once('error', reject)
    worker.once('message', (looped: Looped) => {
      resolve(looped)
      void worker.terminate()
    })
  })
}

export function patienceFrom(given: string | undefined): number {
  const factor = Number(given ?? 1)
  if (Number.isFinite(factor) && factor >= 1) return factor
  throw new Error(`TEST_PATIENCE must be a number of 1 or more, and is "${given}".`)
}
