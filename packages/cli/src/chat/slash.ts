import { printable, printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { callLines } from '../call/call.ts'
import { planLines } from '../call/plan.ts'
import { dumpLines } from '../call/call.ts'
import { shownThread } from '../thread/thread.ts'
import { threadList, usualLimit } from '../thread/thread-list.ts'
import { withThread } from '../thread/find.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Conversation, messagesOf, startThread } from './conversation.ts'

type Slash = (conversation: Conversation, argument: string, terminal: Terminal) => Promise<readonly string[]>

/** The commands that a person can type in a chat. */
const slashes: Readonly<Record<string, { readonly help: string; readonly run: Slash }>> = {
  '/explain': { help: 'show why the model saw what it saw, for the last answer or turn n', run: explain },
  '/dump': { help: 'show exactly what the model saw, for the last answer or turn n', run: dump },
  '/show': { help: 'show the messages so far', run: show },
  '/new': { help: 'start a new thread', run: startNew },
  '/threads': { help: 'list threads; with an id, continue that one', run: threads },
  '/model': { help: 'list models; with a name, use that one', run: model },
  '/help': { help: 'show this list', run: async () => helpLines() },
}

export function isSlash(line: string): boolean {
  return /^\/[a-z]+(?:\s|$)/.test(line)
}

/** Runs a slash command and returns its lines. If it fails, the line is the error. */
export async function slash(conversation: Conversation, line: string, terminal: Terminal): Promise<readonly string[]> {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const found = Object.hasOwn(slashes, name) ? slashes[name] : undefined
  if (!found) return [`There is no command ${name}.`, ...helpLines()]
  try {
    return await found.run(conversation, words.join(' '), terminal)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    return [terminal.paint.red(`✗ ${printable(error.message)}`)]
  }
}

const nothing: readonly string[] = ['There are no messages yet.']

function helpLines(): string[] {
  return [
    ...Object.entries(slashes).map(([name, { help }]) => `  ${name.padEnd(10)}${help}`),
    `  ${'/quit'.padEnd(10)}quit, like Ctrl-C and Ctrl-D`,
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

async function startNew(conversation: Conversation): Promise<readonly string[]> {
  startThread(conversation)
  return ['The next message starts a new thread.']
}

async function threads(conversation: Conversation, argument: string, terminal: Terminal): Promise<readonly string[]> {
  if (argument === '')
    return threadList(
      await conversation.archive.threads({ limit: usualLimit }),
      { limit: usualLimit },
      terminal,
      Date.now(),
    )
  return withThread({ ...conversation, command: terminal.command }, argument, async (thread) => {
    conversation.messages = await messagesOf(conversation.archive, thread)
    conversation.thread = thread
    conversation.turn = undefined
    return [`Continuing ${printableLine(thread)}: ${conversation.messages.length} messages so far.`]
  })
}

async function model(conversation: Conversation, argument: string): Promise<readonly string[]> {
  if (argument === '')
    return conversation.models.map((name) => `${name === conversation.model ? '●' : ' '} ${printableLine(name)}`)
  conversation.model = argument
  return [`The model is now ${printableLine(argument)}`]
}
