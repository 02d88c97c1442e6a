import type { OpenCall } from 'minutebook'
import { createHmac, hash } from 'node:crypto'
import { request } from 'undici'
import type { WebhookConfig } from '../config/config.ts'

/** A call that waits, and whose it is. */
export interface Notice {
  readonly tenant: string
  readonly thread: string
  readonly call: OpenCall
}

/** Headers and body of a request that tells of a call. */
interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Tells an address that a call waits. Returns why it was not told: the status of the answer, or the code of the failure.
 * Undefined if it was. No redirect is followed.
 */
export async function deliver(
  webhook: WebhookConfig,
  notice: Notice,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { headers, body } = webhookRequest(webhook, notice, Date.now())
  try {
    const answer = await request(webhook.url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    })
    answer.body.on('error', () => undefined)
    answer.body.destroy()
    return answer.statusCode >= 200 && answer.statusCode <= 299 ? undefined : String(answer.statusCode)
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  }
}

/** Milliseconds until an address must have answered. */
const patience = 15_000

/**
 * The request as the Standard Webhooks specification has it: signed with HMAC-SHA256 over id, time and body. The id is
 * the same each time the call is told of. `now`: milliseconds since 1970.
 */
function webhookRequest({ secret, input = false }: WebhookConfig, notice: Notice, now: number): WebhookRequest {
  const { tenant, thread, call: open } = notice
  const { id, call, needs, since, within } = open
  const told = input ? call : { name: call.name, ...(call.id !== undefined && { id: call.id }) }
  const body = JSON.stringify({
    type: 'call.waiting',
    timestamp: since ?? new Date(now).toISOString(),
    data: { tenant, thread, id, call: told, needs, since, within },
  })
  const message = `msg_${hash('sha256', JSON.stringify([tenant, thread, id]), 'base64url').slice(0, 32)}`
  const time = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${message}.${time}.${body}`).digest('base64')
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'minutebook',
      'webhook-id': message,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
}
