import { readConfig, type Address } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { runningServer, type Whereabouts } from '../office.ts'
import { startGateway } from '../start-gateway.ts'
import type { Terminal } from '../terminal.ts'

export interface ReachedGateway {
  readonly address: Pick<Address, 'url' | 'token'>
  /** Whether it was started for this chat, and ends with it. */
  readonly own: boolean
  readonly close: () => Promise<void>
}

/** The gateway that runs, or one in this process: other commands find it by its address file just the same. */
export async function reachGateway(terminal: Terminal, { config: path, data, database, upstream }: Whereabouts & { readonly upstream?: string | undefined }): Promise<ReachedGateway> {
  const upstreams = upstream === undefined ? undefined : [{ url: upstream }]
  const config = readConfig({ path, flags: { data, database, upstreams }, environment: terminal.environment })
  const running = database === undefined ? await runningServer(terminal, config) : undefined
  if (running && upstream !== undefined) throw new MinutebookError('already_running', `A gateway runs already on this data folder, at ${running.url}, and has its own upstreams. Leave out --upstream, or give another --data.`)
  if (running) return { address: running, own: false, close: async () => undefined }
  const started = await startGateway({ ...config, host: '127.0.0.1', port: 0 }, 'silent')
  return { address: started, own: true, close: () => started.close({ patience: 2000 }) }
}
