import {
  apiHandler,
  relayChat,
  serve,
  type Config,
  type LogOutput,
  type Running,
  type ServeOptions,
} from '@minutebook/server'
import { namingDatabase } from './naming-database.ts'

/** A whole gateway: chats are recorded, and the record can be read. */
export function startGateway(
  config: Config,
  log: LogOutput | undefined,
  prepare?: ServeOptions['prepare'],
): Promise<Running> {
  return namingDatabase(config.database, () => serve(config, { chat: relayChat(), api: apiHandler, log, prepare }))
}
