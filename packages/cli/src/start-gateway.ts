import { apiHandler, relayChat, serve, type Config, type LogOutput, type Running } from '@minutebook/server'

/** A whole gateway: chats are recorded, and the record can be read. */
export function startGateway(config: Config, log: LogOutput | undefined): Promise<Running> {
  return serve(config, { chat: relayChat(), api: apiHandler, log })
}
