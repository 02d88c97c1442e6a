import { isCancel, select } from '@clack/prompts'
import { type Archive, printableLine } from '@minutebook/server'
import { type Entry, history, type Message, MinutebookError } from 'minutebook'
import { entryIn, traits } from 'minutebook/store'
import { unlistedBy } from '../doctor/upstream-look.ts'
import { keyError, type ServerAddress, unansweredError } from '../connection/server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Gateway } from './ask.ts'

/** The state of a chat in a terminal. */
export interface Conversation {
  readonly gateway: Gateway
  readonly archive: Archive
  readonly models: readonly string[]
  model: string
  system: string | undefined
  thread: string | undefined
  /** The last question. Undefined if it was not answered. */
  turn: string | undefined
  messages: Message[]
}

/** Clears the messages, so that the next one starts a new thread. */
export function startThread(conversation: Conversation): void {
  conversation.thread = undefined
  conversation.turn = undefined
  conversation.messages = conversation.system === undefined ? [] : [{ role: 'system', content: conversation.system }]
}

/** The messages of a thread's newest branch, as a client that took part from the start would have them. */
export async function messagesOf(archive: Archive, thread: string): Promise<Message[]> {
  return (await recordOf(archive, thread)).messages
}

/** `isAnswered`: whether the last question has an answer, or was stopped. */
export async function recordOf(
  archive: Archive,
  thread: string,
): Promise<{ readonly messages: Message[]; readonly isAnswered: boolean }> {
  const log: Entry[] = []
  for await (const line of archive.export(thread)) {
    const entry = entryIn(line, log.length)
    if (entry) log.push(entry)
  }
  const branch = history(log)
  return {
    messages: branch.filter(({ kind, status }) => traits[kind].chained && status !== 'erased').map(({ raw }) => raw),
    isAnswered: branch.findLast(({ kind }) => traits[kind].chained || kind === 'stop')?.kind !== 'user',
  }
}

interface Choice {
  readonly gateway: Gateway
  readonly models: readonly string[]
}

/**
 * The models behind a gateway, and the protocol that lists them: Ollama's if that lists any. Throws `no_upstream` if the
 * gateway speaks neither Ollama's nor OpenAI's.
 */
export async function modelsOf(
  gateway: Omit<Gateway, 'protocol'>,
  { command }: Pick<Terminal, 'command'>,
): Promise<Choice> {
  const [tags, listed] = await Promise.all([
    names(gateway, '/api/tags', 'models', 'name'),
    names(gateway, '/v1/models', 'data', 'id'),
  ])
  if (listed instanceof MinutebookError) throw listed
  if (tags instanceof MinutebookError) throw tags
  if (Array.isArray(tags) && tags.length > 0) return { gateway: { ...gateway, protocol: 'ollama' }, models: tags }
  if (Array.isArray(listed) && listed.length > 0) return { gateway: { ...gateway, protocol: 'openai' }, models: listed }
  if (Array.isArray(tags) || Array.isArray(listed))
    throw new MinutebookError(
      'no_models',
      'The upstream has no models yet.',
      'With Ollama, get one first: ollama pull gemma3:4b',
    )
  // In the protocol of Ollama, errors have no code: the status alone does not say that there is no upstream.
  if (listed === 'unspoken' && typeof tags === 'number' && (await asAnthropic(gateway)) !== 'unspoken')
    throw onlyAnthropicError()
  throw missingListError(listed === 'unspoken' ? tags : listed, command('doctor'))
}

/** The models of a gateway, asked for in the protocol of Anthropic. */
export async function anthropicModelsOf(
  gateway: Omit<Gateway, 'protocol'>,
  { command }: Pick<Terminal, 'command'>,
): Promise<readonly string[]> {
  const listed = await asAnthropic(gateway)
  if (listed instanceof MinutebookError) throw listed
  if (Array.isArray(listed)) return listed
  throw missingListError(listed, command('doctor'))
}

function asAnthropic(gateway: Omit<Gateway, 'protocol'>): ReturnType<typeof names> {
  return names(gateway, '/v1/models', 'data', 'id', { 'anthropic-version': '2023-06-01' })
}

/** `found`: what the gateway answered instead of a list. */
function missingListError(found: Unlisted, doctor: string): MinutebookError {
  if (typeof found === 'number') return unlistedError(found)
  return new MinutebookError(
    'upstream_unreachable',
    'The upstream does not answer.',
    `Start it (for example: ollama serve), or name another with --upstream. To find the cause: ${doctor}`,
  )
}

function onlyAnthropicError(): MinutebookError {
  return new MinutebookError(
    'no_upstream',
    'The gateway has only upstreams of the protocol of Anthropic, which this command does not speak.',
    'Use a client of that protocol, for example: minutebook wrap claude. Or add an upstream that speaks the protocol of Ollama or OpenAI.',
  )
}

/** The model that was named, the only one, or the one that the person chooses. */
export async function chooseModel({ models }: Choice, named: string | undefined, terminal: Terminal): Promise<string> {
  if (named !== undefined) return named
  const [first = ''] = models
  const asks = models.length > 1 && terminal.output.isTTY === true && terminal.input.isTTY === true
  if (!asks) return first
  const options = models.map((model) => ({ value: model, label: printableLine(model) }))
  const chosen = await select({ message: 'Which model?', options, input: terminal.input, output: terminal.output })
  if (isCancel(chosen)) throw new MinutebookError('cancelled', 'No model was chosen.', '')
  return chosen
}

function unlistedError(status: number): MinutebookError {
  const { says, fix } = unlistedBy(status)
  return new MinutebookError('models_unlisted', `The upstream ${says}.`, fix)
}

/** The status if the upstream answers with no list, undefined if it does not answer, `unspoken` if there is none. */
type Unlisted = number | 'unspoken' | undefined

/** An error if the gateway refuses the key. Throws if the gateway does not answer. */
async function names(
  { url, key }: Omit<Gateway, 'protocol'>,
  path: string,
  list: string,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string[] | MinutebookError | Unlisted> {
  try {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      // An upstream that sends us elsewhere is not obeyed: its status is told.
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
    if (!response.ok) return refusedKeyError(answer, { url, token: key }) ?? unlistedAs(response, answer)
    const found = answer[list]
    return Array.isArray(found)
      ? found.map((item) => String((item as Readonly<Record<string, unknown>>)[name]))
      : response.status
  } catch (error) {
    // The gateway itself answers at once: so it waits for the upstream.
    if (Object(error).name === 'TimeoutError') return undefined
    throw unansweredError(error, url)
  }
}

function refusedKeyError(
  { error }: Readonly<Record<string, unknown>>,
  server: ServerAddress,
): MinutebookError | undefined {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  return keyError(code, message, server)
}

/** The gateway says so itself if the upstream does not answer, or if none speaks the protocol. */
function unlistedAs({ status }: Response, { error }: Readonly<Record<string, unknown>>): Unlisted {
  if ((Object(error) as { readonly code?: unknown }).code === 'no_upstream') return 'unspoken'
  return status === 502 || status === 503 || status === 504 ? undefined : status
}
