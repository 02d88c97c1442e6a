import { placeOf } from '../log/exchange.ts'
import { readMessage, type Call, type Message } from '../log/message.ts'
import type { Profile } from '../policy/profile.ts'

/**
 * What a strict server would refuse in a prompt, in words; undefined where it would refuse nothing.
 * Written from the servers' side: it knows nothing of how a prompt is made.
 */
export function findIllegal(messages: readonly Message[], profile: Profile = {}): string | undefined {
  let open: readonly Call[] = []
  let previous: string | undefined
  let spoke: string | undefined
  for (const [index, message] of messages.entries()) {
    const content = readMessage(message)
    const { kind, calls } = content
    const fault = (what: string): string => `message ${index} (${kind}): ${what}`
    if (kind !== 'tool' && open.length > 0) return fault(`calls without results: ${open.map(({ name }) => name).join(', ')}`)
    const place = placeOf(content, open)
    if (place.orphan) return fault('a result without a call')
    open = place.open
    if (kind === 'system' && profile.noSystem) return fault('no system role')
    if (kind === 'system' && profile.systemFirstOnly && index > 0) return fault('a system message that is not first')
    if (profile.noTools && (kind === 'tool' || calls.length > 0)) return fault('no tools')
    if (profile.oneCallAtATime && calls.length > 1) return fault('more than one call')
    if (profile.callsWithoutText && calls.length > 0 && content.text !== '') return fault('text beside calls')
    if (profile.answerAfterTool && kind === 'user' && previous === 'tool') return fault('a user message right after a result')
    if (profile.argumentsAs && calls.some((call) => typeof call.arguments !== profile.argumentsAs)) return fault(`arguments not as ${profile.argumentsAs}`)
    if (profile.nineCharacterIds && calls.some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id ?? ''))) return fault('an id that is not nine characters')
    if ((profile.needsUser || profile.mustAlternate) && spoke === undefined && kind !== 'system' && kind !== 'user') return fault('not a user first')
    if (kind === 'user' || (kind === 'assistant' && calls.length === 0)) {
      if (profile.mustAlternate && spoke === kind) return fault('the same role twice')
      spoke = kind
    } else if (kind === 'assistant') spoke ??= kind
    previous = kind
  }
  return open.length > 0 ? `calls without results at the end: ${open.map(({ name }) => name).join(', ')}` : undefined
}
