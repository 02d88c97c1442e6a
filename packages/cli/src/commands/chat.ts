import { printableLine } from '@minutebook/server'
import type { Command } from 'commander'
import { MinutebookError } from 'minutebook'
import { beginAnew, type Conversation } from '../chat/conversation.ts'
import { messagesOf } from '../chat/known-thread.ts'
import { chooseModel, modelsOf } from '../chat/models.ts'
import { talk } from '../chat/talk.ts'
import { tellFailure, type ExitCode } from '../failure.ts'
import { withThread } from '../find-thread.ts'
import { runningServer } from '../office.ts'
import { remoteDesk } from '../remote-desk.ts'
import type { ServerAddress } from '../server-call.ts'
import { startGateway } from '../start-gateway.ts'
import type { Terminal } from '../terminal.ts'
import { configOf, namedServer, type Whereabouts } from '../whereabouts.ts'
import { officeCommand, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly model?: string
  readonly thread?: string
  readonly system?: string
  readonly upstream?: string
}

export function chatCommand(terminal: Terminal, ended: Ended): Command {
  return officeCommand('chat', 'Chat in the terminal, through the gateway')
    .argument('[message...]', 'say this, print the answer, and end')
    .option('--model <name>', 'the model; asked for where there are several')
    .option('--thread <id>', 'go on with this thread')
    .option('--system <text>', 'the system message of a new thread')
    .option('--upstream <url>', 'where the models are, for a gateway of its own')
    .option('--json', 'for programs: one line of JSON for each answer')
    .action(async (words: readonly string[], options: Options) => {
      try {
        ended(await chat(terminal, words.join(' '), options))
      } catch (error) {
        ended(tellFailure(terminal, error, options.json === true))
      }
    })
}

async function chat(terminal: Terminal, message: string, options: Options): Promise<ExitCode> {
  const { address, own, close } = await reachGateway(terminal, options)
  try {
    const conversation = await begin(terminal, address, options)
    if (message === '' && options.json !== true && terminal.output.isTTY === true)
      greet(terminal, conversation, own ? undefined : address.url)
    return await talk(conversation, terminal, { message, json: options.json === true })
  } finally {
    await close()
  }
}

async function begin(
  terminal: Terminal,
  address: ServerAddress,
  { model, thread, system, key }: Options,
): Promise<Conversation> {
  const choice = await modelsOf({
    url: address.url,
    key: key ?? terminal.environment['MINUTEBOOK_KEY'] ?? address.token ?? '',
  })
  const chosen = await chooseModel(choice, model, terminal)
  const conversation: Conversation = {
    ...choice,
    desk: remoteDesk(address),
    model: chosen,
    system,
    thread: undefined,
    turn: undefined,
    messages: [],
  }
  beginAnew(conversation)
  if (thread === undefined) return conversation
  return withThread(conversation.desk, thread, async (id) => ({
    ...conversation,
    messages: await messagesOf(conversation.desk, id),
    thread: id,
  }))
}

function greet({ print, paint }: Terminal, { model, thread, messages }: Conversation, url: string | undefined): void {
  const where = url === undefined ? 'a gateway of its own' : `the gateway at ${url}`
  print(`${paint.bold(printableLine(model))} ${paint.dim(`through ${where}`)}`)
  if (thread !== undefined)
    print(paint.dim(`Going on with ${printableLine(thread)}: ${messages.length} messages so far.`))
  print(paint.dim('Ctrl-C stops an answer, and again leaves. /help lists what else there is.'))
}

export interface ReachedGateway {
  readonly address: ServerAddress
  /** Whether it was started for this chat, and ends with it. */
  readonly own: boolean
  readonly close: () => Promise<void>
}

/**
 * The gateway that was named or that runs, or one in this process: other commands find it by its address file just the
 * same.
 */
async function reachGateway(
  terminal: Terminal,
  { upstream, ...where }: Whereabouts & { readonly upstream?: string | undefined },
): Promise<ReachedGateway> {
  const config = await configOf(terminal, where, {
    upstreams: upstream === undefined ? undefined : [{ url: upstream }],
  })
  const running =
    namedServer(terminal, where) ?? (where.database === undefined ? await runningServer(terminal, config) : undefined)
  if (running && upstream !== undefined)
    throw new MinutebookError(
      'already_running',
      `A gateway runs already, at ${running.url}, and has its own upstreams.`,
      'Leave out --upstream, or give another --data.',
    )
  if (running) return { address: running, own: false, close: async () => undefined }
  const started = await startGateway({ ...config, host: '127.0.0.1', port: 0 }, 'silent', async (services) =>
    services.hostedRuns.onlyAsked(),
  )
  return { address: started, own: true, close: () => started.close({ patience: 2000 }) }
}
