import { openLocalRun, wakeRun } from '@minutebook/server'
import { reachGateway, type ReachedGateway } from '../connection/gateway.ts'
import type { Location } from '../connection/location.ts'
import { remoteRuns, type RemoteRuns } from '../connection/remote-runs.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Where runs go on: at a server, or in this process. */
export interface ReachedRuns extends ReachedGateway {
  readonly runs: RemoteRuns
  close(): Promise<void>
}

/** `run`: one that was begun on this machine and is to go on. */
export async function reachRuns(
  terminal: Terminal,
  location: Location & { readonly upstream?: string | undefined },
  run?: string,
): Promise<ReachedRuns> {
  const gateway = await reachGateway(terminal, location, async (services) => {
    services.hostedRuns.onlyAsked()
    if (run === undefined) return
    services.hostedRuns.host('default', run)
    await openLocalRun(services, 'default', run)
  })
  const { address, own } = gateway
  // One whose process died was never paused: it goes on by itself.
  if (own && run !== undefined) await wakeRun(own.services, 'default', run)
  return { ...gateway, runs: remoteRuns(address), close: async () => own?.close({ notice: 0 }) }
}
