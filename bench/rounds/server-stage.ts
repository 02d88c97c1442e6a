import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayProgram, startChild, type Child } from '../../tests/support/process/child.ts'
import { processorTimeOf } from '../processor-time.ts'

/** A paced upstream and gateways before it, each in a process of its own. */
export interface ServerStage {
  /** The upstream's address. */
  readonly upstream: string
  /** Starts a gateway on the sources on which this process runs. */
  gateway(name: string, environment?: Readonly<Record<string, string>>): Promise<string>
  /** Microseconds of processor time that the gateways have used so far. */
  worked(): number
  /** A hash of all that the upstream was asked since this was called last. */
  takePrompts(): Promise<string>
  close(): Promise<void>
}

export async function openServers(): Promise<ServerStage> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-bench-'))
  const start = (name: string, args: readonly string[], environment = {}): Promise<Child> =>
    startChild({ command: [process.execPath, ...process.execArgv, ...args], folder: join(folder, name), environment })
  const upstream = await start('upstream', [join(import.meta.dirname, '../gateway/upstream-process.ts'), '--prompts'])
  const gateways: Child[] = []
  return {
    upstream: upstream.url,
    gateway: async (name, environment) => {
      const gateway = await start(name, [gatewayProgram], { MINUTEBOOK_UPSTREAMS: upstream.url, ...environment })
      gateways.push(gateway)
      return gateway.url
    },
    worked: () => gateways.reduce((sum, { process: { pid } }) => sum + processorTimeOf(pid), 0),
    takePrompts: async () => (await (await fetch(`${upstream.url}/prompts`)).json()) as string,
    close: async () => {
      await Promise.all([...gateways, upstream].map((child) => child.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
