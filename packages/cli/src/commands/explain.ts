import { printableLine, type Archive } from '@minutebook/server'
import type { CallChoice } from 'minutebook/inspect'
import { callLines, underived, underivedLines } from '../call/call.ts'
import { laneLines, type MessageLane } from '../call/lane.ts'
import { planLines } from '../call/plan.ts'
import { stopLines, stopOf } from '../call/stop.ts'
import { messagesAbout } from '../thread/find-about.ts'
import { withThread, type ThreadSource } from '../thread/find.ts'
import { counted } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import {
  callCommand,
  type CallOptions,
  choiceOf,
  countOf,
  type DefineCommand,
  show,
  withConnection,
} from './command.ts'

interface Options extends CallOptions {
  readonly rows: number
  readonly about?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  callCommand(command)
    .option('--rows <n>', 'collapse older rows if there are more than this many', countOf('A number of rows'), 40)
    .option(
      '--about <words>',
      'did the model have it? Follow the messages with these words, or with this number or id, through all calls',
    )
    .action((thread: string | undefined, call: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive, file } = connection
        const { about } = options
        const choice = choiceOf(call, options)
        if (about !== undefined) {
          const found = await withThread(connection, thread, (id) => lanesAbout(connection, id, about, choice))
          show(terminal, options, found, () => aboutLines(found, terminal))
          return
        }
        const explanation = await withThread(connection, thread, (id) => archive.explain(id, choice).catch(underived))
        const isNewest = choice.turn === undefined && choice.receipt === undefined
        const place = 'problem' in explanation ? explanation.call : explanation
        const shown = options.json === true ? undefined : await archive.show(place.thread)
        const stop = shown && stopOf(shown, isNewest ? undefined : (place.turn ?? 0))
        show(terminal, options, explanation, () => [
          ...(stop ? [...stopLines(stop, terminal), ''] : []),
          ...(stop && stop.turn !== place.turn ? [`The last model call, of turn ${place.turn ?? '–'}:`, ''] : []),
          ...('problem' in explanation
            ? underivedLines(explanation, terminal)
            : [...callLines(explanation, terminal), '', ...planLines(explanation, terminal, options.rows)]),
        ])
        if (thread === undefined && file !== undefined && options.json !== true) await tellOthers(archive, terminal)
      }),
    )
}

interface Lanes {
  readonly thread: string
  readonly about: string
  readonly found: readonly MessageLane[]
  /** How many more messages have these words. */
  readonly more: number
}

/** The lanes of the messages that are meant. `choice`: the call to say of what would have kept them. */
async function lanesAbout(source: ThreadSource, thread: string, about: string, choice: CallChoice): Promise<Lanes> {
  const { archive } = source
  const { messages, more } = await messagesAbout(source, thread, about)
  const found: MessageLane[] = []
  for (const message of messages) {
    const lane = await archive.lane(thread, message.id)
    const { receipt = lane.calls.findLast(({ turn }) => turn === choice.turn)?.receipt } = choice
    found.push({ message, lane: receipt === undefined ? lane : await archive.lane(thread, message.id, { receipt }) })
  }
  return { thread, about, found, more }
}

function aboutLines({ thread, found, more }: Lanes, terminal: Terminal): string[] {
  const { paint } = terminal
  return [
    paint.bold(printableLine(thread)),
    ...found.flatMap((each) => ['', ...laneLines(each, terminal)]),
    ...(more > 0
      ? [
          '',
          paint.dim(
            `${counted(more, 'more message has', 'more messages have')} these words: name one with --about '#…'`,
          ),
        ]
      : []),
  ]
}

/** A person who names a file, but no thread, may mean another thread than the newest. */
async function tellOthers(archive: Archive, terminal: Terminal): Promise<void> {
  const { threads } = await archive.threads({ limit: 2 })
  if (threads.length > 1)
    terminal.remark(terminal.paintErrors.dim(`This is the newest thread. The others: ${terminal.command('threads')}`))
}
