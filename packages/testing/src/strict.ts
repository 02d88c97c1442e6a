import type { Message, Profile } from 'minutebook'
import { fieldsOf, readMessage, type Content } from 'minutebook/wire'

/**
 * What a strict server would refuse in a prompt, in words; undefined if it would accept it. Written from the server's
 * side: it pairs calls and results by its own rules, not by those that made the prompt.
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

/** Every call has one result, directly after it; every result has a call. */
function pairing(contents: readonly Content[], index: number): string | undefined {
  const { kind, calls } = contents[index]!
  if (kind === 'tool' && !belongsToCall(contents, index)) return 'a result without a call'
  if (calls.length === 0) return undefined
  const results = resultsAfter(contents, index)
  if (results.length !== calls.length) return `${calls.length} calls with ${results.length} results`
  const missing = calls.find(
    ({ id }) => id !== undefined && !results.some(({ answers }) => answers?.id === id || answers?.id === undefined),
  )
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
  if (profile.callsWithoutText && calls.length > 0 && text !== '') return 'text next to calls'
  if (profile.argumentsAs && calls.some((call) => typeof call.arguments !== profile.argumentsAs))
    return `arguments not as ${profile.argumentsAs}`
  if (profile.nineCharacterIds && calls.some(({ id = '' }) => !/^[a-zA-Z0-9]{9}$/.test(id)))
    return 'an id that is not nine characters'
  if (profile.normalized && kind === 'assistant' && calls.length === 0 && text === '')
    return 'an assistant message that says nothing'
  if (profile.normalized && calls.some(({ id }) => id === undefined)) return 'a call without an id'
  return undefined
}

/** Whose turn it is. Calls and results are not considered. */
function turn(contents: readonly Content[], index: number, profile: Profile): string | undefined {
  const { kind, calls } = contents[index]!
  const before = contents.slice(0, index)
  const first = before.every((content) => content.kind === 'system')
  if (first && kind !== 'user' && kind !== 'system' && (profile.needsUser || profile.mustAlternate))
    return 'not a user first'
  if (profile.answerAfterTool && kind === 'user' && before.at(-1)?.kind === 'tool')
    return 'a user message right after a result'
  const speaks = kind === 'user' || (kind === 'assistant' && calls.length === 0)
  const spoke = before.findLast(
    (content) => content.kind === 'user' || (content.kind === 'assistant' && content.calls.length === 0),
  )
  return profile.mustAlternate && speaks && spoke?.kind === kind ? 'the same role twice' : undefined
}

/**
 * What is wrong with the form of messages for a server of this protocol, in words; undefined if nothing is. Written
 * from the server's side, and stricter than most: a field that a server would ignore is a silent loss.
 *
 * @example
 * expect(findMisshapen(toOpenAi(messages), 'openai')).toBeUndefined()
 */
export function findMisshapen(messages: readonly unknown[], wire: 'ollama' | 'openai'): string | undefined {
  const check = wire === 'ollama' ? ollamaFault : openAiFault
  for (const [index, message] of messages.entries()) {
    const fault = typeof message === 'object' && message !== null ? check(message) : 'not an object'
    if (fault) return `message ${index}: ${fault}`
  }
  return undefined
}

function ollamaFault(message: object): string | undefined {
  const { role, content, images, tool_calls: calls, thinking } = fieldsOf(message)
  if (!['system', 'user', 'assistant', 'tool'].includes(String(role)))
    return 'role is not system, user, assistant or tool'
  if (isGiven(content) && typeof content !== 'string') return 'content is not a text'
  if (isGiven(thinking) && typeof thinking !== 'string') return 'thinking is not a text'
  if (isGiven(images) && !(Array.isArray(images) && images.every(isBase64)))
    return 'images is not a list of base64 texts'
  if (isGiven(fieldsOf(message)['reasoning_content'])) return 'reasoning_content is unknown here'
  if (!isGiven(calls)) return undefined
  return Array.isArray(calls)
    ? calls.map(ollamaCallFault).find((fault) => fault !== undefined)
    : 'tool_calls is not a list'
}

function ollamaCallFault(call: unknown): string | undefined {
  const { name, arguments: given } = fieldsOf(fieldsOf(call)['function'])
  if (typeof name !== 'string' || name === '') return 'a call has no function name'
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? undefined
    : 'the arguments of a call are not an object'
}

function openAiFault(message: object): string | undefined {
  const { role, content, images, thinking, tool_calls: calls, tool_call_id: id } = fieldsOf(message)
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(role)))
    return 'role is not system, developer, user, assistant or tool'
  if (isGiven(images)) return 'images is unknown here'
  if (isGiven(thinking)) return 'thinking is unknown here'
  if (role === 'tool' && (typeof id !== 'string' || id === '')) return 'a result has no tool_call_id'
  if (!isGiven(content) && role !== 'assistant') return 'content is missing'
  if (isGiven(content) && typeof content !== 'string' && !isPartList(content))
    return 'content is neither a text nor a list of parts'
  if (calls === undefined) return undefined
  return Array.isArray(calls) && calls.length > 0
    ? calls.map(openAiCallFault).find((fault) => fault !== undefined)
    : 'tool_calls is not a list of calls'
}

function openAiCallFault(call: unknown): string | undefined {
  const { id, type, function: called, custom } = fieldsOf(call)
  if (typeof id !== 'string' || id === '') return 'a call has no id'
  if (type === 'custom' && typeof fieldsOf(custom)['name'] === 'string') return undefined
  if (type !== 'function' || typeof fieldsOf(called)['name'] !== 'string') return 'a call has no function name'
  if (fieldsOf(called)['index'] !== undefined) return 'a call has an index'
  return typeof fieldsOf(called)['arguments'] === 'string' ? undefined : 'the arguments of a call are not a text'
}

function isPartList(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0 && content.every(isPart)
}

function isPart(part: unknown): boolean {
  const { type, text, image_url: image } = fieldsOf(part)
  if (type === 'text') return typeof text === 'string'
  if (type === 'image_url') return typeof fieldsOf(image)['url'] === 'string'
  return typeof type === 'string'
}

function isBase64(text: unknown): boolean {
  return typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
