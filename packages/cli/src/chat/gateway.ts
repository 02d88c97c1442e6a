import { MinutebookError } from 'minutebook'
import { runningServer } from '../office.ts'
import type { ServerAddress } from '../server-call.ts'
import { startGateway } from '../start-gateway.ts'
import type { Terminal } from '../terminal.ts'
import { configOf, namedServer, type Whereabouts } from '../whereabouts.ts'

export interface ReachedGateway {
  readonly address: ServerAddress
  /** Whether it was started for this chat, and ends with it. */
  readonly own: boolean
  readonly close: () => Promise<void>
}

/**
 * The gateway that was named or that runs, or one in this process: other commands find it by its address file just the
 * same.
 */
export async function reachGateway(
  terminal: Terminal,
  { upstream, ...where }: Whereabouts & { readonly upstream?: string | undefined },
): Promise<ReachedGateway> {
  const config = await configOf(terminal, where, {
    upstreams: upstream === undefined ? undefined : [{ url: upstream }],
  })
  const running =
    namedServer(terminal, where) ?? (where.database === undefined ? await runningServer(terminal, config) : undefined)
  if (running && upstream !== undefined)
    throw new MinutebookError(
      'already_running',
      `A gateway runs already, at ${running.url}, and has its own upstreams.`,
      'Leave out --upstream, or give another --data.',
    )
  if (running) return { address: running, own: false, close: async () => undefined }
  const started = await startGateway({ ...config, host: '127.0.0.1', port: 0 }, 'silent', async (services) =>
    services.hostedRuns.onlyAsked(),
  )
  return { address: started, own: true, close: () => started.close({ patience: 2000 }) }
}
