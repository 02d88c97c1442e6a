/**
 * What a model's chat template allows. If a flag is absent, the template has no such restriction. Rendering follows
 * every flag that is set.
 */
export interface Profile {
  /** At most one system message, and it must be first. A later one is refused, dropped or moved. */
  readonly systemFirstOnly?: boolean
  /** Apart from calls and results, user and assistant messages must alternate, starting with the user. */
  readonly mustAlternate?: boolean
  /** No system message at all. Its text goes into the first user message. */
  readonly noSystem?: boolean
  /**
   * A system message has only what a client or operator says. Text that Minutebook adds gets the user role: behind tool
   * results, and apart from what a user says.
   */
  readonly onlyTheirSystem?: boolean
  /** The first message, or the first after the system message, must be from the user. */
  readonly needsUser?: boolean
  /** No tool calls and no tool role. Calls and results are quoted as past-tense text. */
  readonly noTools?: boolean
  /** There must be an assistant message between a tool result and the next user message. */
  readonly answerAfterTool?: boolean
  /** The only form of a call's arguments that the template prints correctly. Absent: both work. */
  readonly argumentsAs?: 'object' | 'string'
  /** An assistant message has at most one call. Parallel calls become call, result, call, result. */
  readonly oneCallAtATime?: boolean
  /** An assistant message with calls must not contain text. Any text is moved to a separate message before the call. */
  readonly callsWithoutText?: boolean
  /** A call's id must be exactly nine letters or digits. */
  readonly nineCharacterIds?: boolean
  /**
   * Messages have the form that every template can rely on: content is always a text, no list of calls is empty, no
   * assistant message is empty, every call has an id, and results are in the order of the calls. Default: messages keep
   * their shape.
   */
  readonly normalized?: boolean
}

/** True if a system message can only be the first message. If roles must alternate, there is no place for another. */
export function systemOnlyFirst({ systemFirstOnly, noSystem, mustAlternate }: Profile): boolean {
  return systemFirstOnly === true || noSystem === true || mustAlternate === true
}

/** A chat message as a template receives it. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly tool_calls?: readonly TemplateToolCall[]
  readonly tool_call_id?: string
  readonly tool_name?: string
}

export interface TemplateToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string | Readonly<Record<string, string>> }
}

type Render = (messages: readonly TemplateMessage[]) => string
type Keeps = (...messages: readonly TemplateMessage[]) => boolean
type ArgumentsAs = NonNullable<Profile['argumentsAs']>

/**
 * Finds a template's profile by rendering test messages (probes) with it.
 *
 * A probe passes if the template renders it and the text contains every word of it, with the messages in order. So a
 * message that the template silently drops or moves counts the same as one that it refuses.
 *
 * Contract: `render` throws if the template refuses. Probe with the tools that will be sent, because some templates are
 * stricter with tools.
 *
 * @example probeProfile((messages) => template.render(messages, tools)) // { normalized: true, noSystem: true, … }
 */
export function probeProfile(render: Render): Profile {
  const keeps: Keeps = (...messages) => keepsEveryWord(render, messages)
  if (!keeps(user('one'), assistant('two'), user('three'))) {
    throw new Error('The template does not render a plain chat of user, assistant, user: check the renderer first.')
  }
  const tools = probeTools(keeps)
  const systems = probeSystem(keeps, tools)
  return { normalized: true, ...systems, ...probeTurns(keeps, tools, systems), ...tools }
}

function probeTools(keeps: Keeps): Profile {
  const object = keeps(...twoRounds('object'))
  const string = keeps(...twoRounds('string'))
  if (!object && !string) return { noTools: true }
  const form = object ? 'object' : 'string'
  return {
    ...(object !== string && { argumentsAs: form }),
    ...(!keeps(user('ask'), ...toolRound('first', form), user('again')) && { answerAfterTool: true }),
    ...(!keeps(...twoRounds(form, { calls: 2 })) && { oneCallAtATime: true }),
    ...(!keeps(...twoRounds(form, { withText: true })) && { callsWithoutText: true }),
    ...(!keeps(...twoRounds(form, { longIds: true })) && { nineCharacterIds: true }),
  }
}

function probeSystem(keeps: Keeps, tools: Profile): Profile {
  const first = keeps(system('head'), user('ask'), assistant('answer'), user('again'))
  const withTools = tools.noTools === true || keeps(system('head'), user('ask'), ...toolRound('first', formOf(tools)))
  if (!first || !withTools) return { noSystem: true }
  const two = keeps(system('head'), system('second'), user('ask'))
  const later = keeps(system('head'), user('ask'), assistant('answer'), system('later'), user('again'))
  return two && later ? {} : { systemFirstOnly: true }
}

function probeTurns(keeps: Keeps, tools: Profile, { noSystem }: Profile): Profile {
  const head = noSystem === true ? [] : [system('head')]
  const users = keeps(user('one'), user('two'), assistant('answer'), user('again'))
  const assistants = keeps(user('ask'), assistant('one'), assistant('two'), user('again'))
  const noUser = keeps(...head, assistant('answer'))
  const callFirst = tools.noTools === true || keeps(...head, ...toolRound('first', formOf(tools)), assistant('answer'))
  return {
    ...(!(users && assistants) && { mustAlternate: true }),
    ...(!(noUser && callFirst) && { needsUser: true }),
  }
}

function formOf(tools: Profile): ArgumentsAs {
  return tools.argumentsAs ?? 'object'
}

function keepsEveryWord(render: Render, messages: readonly TemplateMessage[]): boolean {
  const text = renderedOrUndefined(render, messages)
  if (text === undefined) return false
  const contents = messages.map(({ content }) => content)
  return standInOrder(text, contents) && messages.every((message) => keepsCalls(text, message))
}

function renderedOrUndefined(render: Render, messages: readonly TemplateMessage[]): string | undefined {
  try {
    return render(messages)
  } catch {
    return undefined
  }
}

function standInOrder(text: string, words: readonly string[]): boolean {
  let from = 0
  for (const each of words) {
    const at = text.indexOf(each, from)
    if (at === -1) return false
    from = at + each.length
  }
  return true
}

function keepsCalls(text: string, { tool_calls: calls = [] }: TemplateMessage): boolean {
  return calls.every(({ function: { name, arguments: values } }) => text.includes(name) && keepsArguments(text, values))
}

/** If the template encodes a JSON string a second time, the quotes are escaped: \"word\". */
function keepsArguments(text: string, values: TemplateToolCall['function']['arguments']): boolean {
  if (typeof values !== 'string') return Object.values(values).every((value) => text.includes(value))
  const parsed: Readonly<Record<string, string>> = JSON.parse(values)
  return Object.values(parsed).every((value) => text.includes(value) && !text.includes(`\\"${value}`))
}

const system = (name: string): TemplateMessage => ({ role: 'system', content: word(`system-${name}`) })
const user = (name: string): TemplateMessage => ({ role: 'user', content: word(`user-${name}`) })
const assistant = (name: string): TemplateMessage => ({ role: 'assistant', content: word(`assistant-${name}`) })

interface RoundOptions {
  readonly calls?: number
  readonly withText?: boolean
  readonly longIds?: boolean
}

/** Tool calls in a past turn and in the current one: some templates drop a part only after an answer follows it. */
function twoRounds(form: ArgumentsAs, options?: RoundOptions): TemplateMessage[] {
  const past = [user('ask'), ...toolRound('first', form, options), assistant('answer')]
  return [...past, user('again'), ...toolRound('later', form, options)]
}

/** Calls and their results. The names of the rounds have five letters, so that the ids have nine. */
function toolRound(
  round: 'first' | 'later',
  form: ArgumentsAs,
  { calls = 1, withText = false, longIds = false }: RoundOptions = {},
): TemplateMessage[] {
  const names = Array.from({ length: calls }, (_, index) => `${round}000${index + 1}`)
  const idOf = (name: string): string => (longIds ? `call_${name}_${name}` : name)
  const content = withText ? word(`${round}-text`) : ''
  return [
    { role: 'assistant', content, tool_calls: names.map((name) => toolCall(idOf(name), name, form)) },
    ...names.map((name) => toolResult(idOf(name), name)),
  ]
}

function toolCall(id: string, name: string, form: ArgumentsAs): TemplateToolCall {
  const values = { about: word(`${name}-argument`) }
  const encoded = form === 'object' ? values : JSON.stringify(values)
  return { id, type: 'function', function: { name: word(name), arguments: encoded } }
}

function toolResult(id: string, name: string): TemplateMessage {
  return { role: 'tool', content: word(`${name}-result`), tool_call_id: id, tool_name: word(name) }
}

/** A word that is in no template's own text and in no other word of the probes. */
function word(name: string): string {
  return `qz-${name}-zq`
}
