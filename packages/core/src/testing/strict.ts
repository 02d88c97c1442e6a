import { readMessage, type Content, type Message } from '../log/message.ts'
import type { Profile } from '../compiler/profile.ts'

/**
 * What a strict server would refuse in a prompt, in words; undefined where it would refuse nothing.
 * Written from the server's side: it pairs calls and results by its own rules, not by those that made the prompt.
 *
 * @example
 * expect(findIllegal(compile(messages, { window: 4096 }).messages)).toBeUndefined()
 */
export function findIllegal(messages: readonly Message[], profile: Profile = {}): string | undefined {
  const contents = messages.map(readMessage)
  for (const [index, content] of contents.entries()) {
    const fault = pairing(contents, index) ?? shape(content, index, profile) ?? turn(contents, index, profile)
    if (fault) return `message ${index} (${content.kind}): ${fault}`
  }
  return undefined
}

/** Every call has one result, right behind it; every result has a call. */
function pairing(contents: readonly Content[], index: number): string | undefined {
  const { kind, calls } = contents[index]!
  if (kind === 'tool' && !belongsToCall(contents, index)) return 'a result without a call'
  if (calls.length === 0) return undefined
  const results = resultsAfter(contents, index)
  if (results.length !== calls.length) return `${calls.length} calls with ${results.length} results`
  const missing = calls.find(({ id }) => id !== undefined && !results.some(({ answers }) => answers?.id === id || answers?.id === undefined))
  return missing && `the call ${missing.id} has no result`
}

function belongsToCall(contents: readonly Content[], index: number): boolean {
  const caller = contents.slice(0, index).findLast(({ kind }) => kind !== 'tool')
  return (caller?.calls.length ?? 0) > 0
}

function resultsAfter(contents: readonly Content[], index: number): readonly Content[] {
  const end = contents.findIndex(({ kind }, place) => place > index && kind !== 'tool')
  return contents.slice(index + 1, end < 0 ? contents.length : end)
}

/** What one message may look like. */
function shape({ kind, calls, text }: Content, index: number, profile: Profile): string | undefined {
  if (kind === 'system' && profile.noSystem) return 'no system role'
  if (kind === 'system' && profile.systemFirstOnly && index > 0) return 'a system message that is not first'
  if (profile.noTools && (kind === 'tool' || calls.length > 0)) return 'no tools'
  if (profile.oneCallAtATime && calls.length > 1) return 'more than one call'
  if (profile.callsWithoutText && calls.length > 0 && text !== '') return 'text beside calls'
  if (profile.argumentsAs && calls.some((call) => typeof call.arguments !== profile.argumentsAs)) return `arguments not as ${profile.argumentsAs}`
  if (profile.nineCharacterIds && calls.some(({ id = '' }) => !/^[a-zA-Z0-9]{9}$/.test(id))) return 'an id that is not nine characters'
  if (profile.normalized && kind === 'assistant' && calls.length === 0 && text === '') return 'an assistant message that says nothing'
  if (profile.normalized && calls.some(({ id }) => id === undefined)) return 'a call without an id'
  return undefined
}

/** Whose turn it is. Calls and results stand aside. */
function turn(contents: readonly Content[], index: number, profile: Profile): string | undefined {
  const { kind, calls } = contents[index]!
  const before = contents.slice(0, index)
  const first = before.every((content) => content.kind === 'system')
  if (first && kind !== 'user' && kind !== 'system' && (profile.needsUser || profile.mustAlternate)) return 'not a user first'
  if (profile.answerAfterTool && kind === 'user' && before.at(-1)?.kind === 'tool') return 'a user message right after a result'
  const speaks = kind === 'user' || (kind === 'assistant' && calls.length === 0)
  const spoke = before.findLast((content) => content.kind === 'user' || (content.kind === 'assistant' && content.calls.length === 0))
  return profile.mustAlternate && speaks && spoke?.kind === kind ? 'the same role twice' : undefined
}
