import { configuredCounters, isAlive, localDesk, openStores, readAddress, readConfig, removeAddress, type Address, type Config, type Desk } from '@minutebook/server'
import { remoteDesk } from './remote-desk.ts'
import type { Terminal } from './terminal.ts'

/** Where the record is, as told on the command line. */
export interface Whereabouts {
  readonly config?: string | undefined
  readonly data?: string | undefined
  readonly database?: string | undefined
}

/** A place where the record can be read. */
export interface Office {
  readonly desk: Desk
  readonly config: Config
  /** The server that answers; undefined where the store is opened here. */
  readonly server: Address | undefined
  close(): Promise<void>
}

/** Goes to the server that runs on this data folder, and opens the store itself where none does. */
export async function openOffice(terminal: Terminal, where: Whereabouts): Promise<Office> {
  const config = configOf(terminal, where)
  // Whoever names a database means that one, whatever serves here.
  const server = where.database === undefined ? await runningServer(terminal, config) : undefined
  if (server) return { desk: remoteDesk(server), config, server, close: async () => undefined }
  const stores = await openStores(config)
  const counters = await configuredCounters(config)
  return { desk: localDesk(stores.of('default').store, { counters }), config, server, close: () => stores.close() }
}

export function configOf({ environment }: Terminal, { config, data, database }: Whereabouts): Config {
  return readConfig({ path: config, flags: { data, database }, environment })
}

/** The server that left its address in the data folder. One that is gone has its address removed. */
export async function runningServer(terminal: Terminal, { data }: Config): Promise<Address | undefined> {
  const address = readAddress(data)
  if (!address || (await isAlive(address))) return address
  removeAddress(data, address.token)
  terminal.remark(terminal.paintErrors.dim(`The server that was at ${address.url} is gone; its address file was removed.`))
  return undefined
}
