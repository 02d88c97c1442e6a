import { printable, printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { callLines } from '../call/call.ts'
import { planLines } from '../call/plan.ts'
import { dumpLines } from '../call/call.ts'
import { shownThread, threadList } from '../thread/thread.ts'
import { withThread } from '../thread/find.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { beginAnew, type Conversation, messagesOf } from './conversation.ts'

type Slash = (conversation: Conversation, argument: string, terminal: Terminal) => Promise<readonly string[]>

/** What can be asked of the chat itself. */
const slashes: Readonly<Record<string, { readonly help: string; readonly run: Slash }>> = {
  '/explain': { help: 'why the model saw what it saw, in the last answer or in turn n', run: explain },
  '/dump': { help: 'exactly what the model saw, in the last answer or in turn n', run: dump },
  '/show': { help: 'what was said so far', run: show },
  '/new': { help: 'begin a new thread', run: anew },
  '/threads': { help: 'list the threads; with an id, go on with that one', run: threads },
  '/model': { help: 'list the models; with a name, use that one', run: model },
  '/help': { help: 'this list', run: async () => helpLines() },
}

export function isSlash(line: string): boolean {
  return /^\/[a-z]+(?:\s|$)/.test(line)
}

/** Does what was asked for; says what is wrong where that fails. */
export async function slash(conversation: Conversation, line: string, terminal: Terminal): Promise<readonly string[]> {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const found = Object.hasOwn(slashes, name) ? slashes[name] : undefined
  if (!found) return [`There is no ${name}.`, ...helpLines()]
  try {
    return await found.run(conversation, words.join(' '), terminal)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    return [terminal.paint.red(`✗ ${printable(error.message)}`)]
  }
}

const nothing: readonly string[] = ['Nothing was said yet.']

function helpLines(): string[] {
  return [
    ...Object.entries(slashes).map(([name, { help }]) => `  ${name.padEnd(10)}${help}`),
    `  ${'/quit'.padEnd(10)}leave, as Ctrl-C and Ctrl-D do`,
  ]
}

function callOf({ turn }: Conversation, argument: string): { readonly turn?: string | number | undefined } {
  return { turn: argument === '' ? turn : Number(argument) }
}

async function explain(conversation: Conversation, argument: string, terminal: Terminal): Promise<readonly string[]> {
  if (conversation.thread === undefined) return nothing
  const explanation = await conversation.archive.explain(conversation.thread, callOf(conversation, argument))
  return [...callLines(explanation, terminal), '', ...planLines(explanation, terminal, 40)]
}

async function dump(conversation: Conversation, argument: string, terminal: Terminal): Promise<readonly string[]> {
  if (conversation.thread === undefined) return nothing
  return dumpLines(await conversation.archive.dump(conversation.thread, callOf(conversation, argument)), terminal)
}

async function show(
  { archive, thread }: Conversation,
  _argument: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  return thread === undefined ? nothing : shownThread(await archive.show(thread), terminal, {})
}

async function anew(conversation: Conversation): Promise<readonly string[]> {
  beginAnew(conversation)
  return ['The next message begins a new thread.']
}

async function threads(conversation: Conversation, argument: string, terminal: Terminal): Promise<readonly string[]> {
  if (argument === '') return threadList(await conversation.archive.threads({ limit: 20 }), terminal, Date.now())
  return withThread(conversation.archive, argument, async (thread) => {
    conversation.messages = await messagesOf(conversation.archive, thread)
    conversation.thread = thread
    conversation.turn = undefined
    return [`Going on with ${printableLine(thread)}: ${conversation.messages.length} messages so far.`]
  })
}

async function model(conversation: Conversation, argument: string): Promise<readonly string[]> {
  if (argument === '')
    return conversation.models.map((name) => `${name === conversation.model ? '●' : ' '} ${printableLine(name)}`)
  conversation.model = argument
  return [`From now on: ${printableLine(argument)}`]
}
