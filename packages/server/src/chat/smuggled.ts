import type { Refusal } from '../refusal.ts'
import { folded } from './json-span.ts'
import type { ReadRequest } from './request.ts'

/**
 * Why a chat of a key that may say nothing as the system is refused. What we cannot read, or are not to read, could be read as a
 * system message by an upstream.
 */
export function smuggledIn(read: ReadRequest, isBypass: boolean): Refusal | undefined {
  if (isBypass || read.kind === 'refused') return noSystem
  if (read.kind === 'pass') return read.why === 'load' ? undefined : noSystem
  const { messages, spans } = read.request
  const isSystem = messages.some(({ role }) => roles.has(role.toLowerCase())) || [...spans.members.keys()].some((name) => fields.has(folded(name)))
  return isSystem ? noSystem : undefined
}

const roles: ReadonlySet<string> = new Set(['system', 'developer'])

/** Fields of a request by which some servers take words of the system, or a template for them. */
const fields: ReadonlySet<string> = new Set(['system', 'system_prompt', 'instructions', 'template', 'chat_template', 'chat_template_kwargs'])

const noSystem: Refusal = {
  status: 403,
  code: 'no_system',
  message: 'This key may send no system messages, nor what could be read as one. Send roles that are plainly user, assistant or tool, or use another key.',
}
