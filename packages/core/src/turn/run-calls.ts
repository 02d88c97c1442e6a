import type { Call, Message } from '../log/message.ts'
import { readState } from '../state/snapshot.ts'
import { written } from './fence.ts'
import type { Draft } from '../record/draft.ts'
import { newestTurn } from '../record/next.ts'
import { interruptions, runTool, type ToolOutcome } from '../tool/run-tool.ts'
import type { ToolContext } from '../tool/tool.ts'
import type { Running } from './running.ts'

/** Runs calls side by side and records each result as it comes. `found`: someone who died may have run them before. */
export async function runCalls(running: Running, calls: readonly Call[], found: boolean): Promise<void> {
  // Without ids a result belongs to the first open call of its name: then results must come in the order of the calls.
  const inOrder = new Set(calls.map(({ id }) => id)).size < calls.length || calls.some(({ id }) => id === undefined)
  const issued = newestTurn(running.log.branch()).findLast(({ kind, calls: made }) => kind === 'assistant' && made.length > 0)?.calls ?? calls
  const recorded: Promise<void>[] = []
  calls.forEach((call, place) => {
    const index = inOrder ? issued.length - calls.length + place : issued.findIndex(({ id }) => id === call.id)
    recorded.push(record(running, call, runCall(running, call, index, found), inOrder ? recorded.at(-1) : undefined))
  })
  try {
    await Promise.all(recorded)
  } catch (error) {
    // Where one result cannot be recorded, none can: the other tools are told to stop.
    running.control.turn.cancel()
    await Promise.allSettled(recorded)
    throw error
  }
}

async function record({ log, term, control }: Running, call: Call, outcome: Promise<ToolOutcome>, before: Promise<void> | undefined): Promise<void> {
  const [ended] = await Promise.all([outcome, before])
  await written(log.append([resultDraft(call, ended)], { term }))
  control.emit({ type: 'result', call, ...ended })
}

async function runCall(running: Running, call: Call, index: number, found: boolean): Promise<ToolOutcome> {
  const { control, manner } = running
  const tool = manner.tools.find(({ name }) => name === call.name)
  if (found && tool && !tool.mayRepeat) return { text: interruptions.unknown, status: 'cancelled' }
  control.emit({ type: 'call', call })
  const names = manner.settings.tools.map((schema) => schema.function.name)
  return runTool(tool, call, contextOf(running, call, index), manner.clock, names)
}

/** Read from the store when a tool asks for it: a turn holds no more of its log than its prompts need. */
function contextOf({ log: { thread, head }, control: { signal }, store }: Running, call: Call, index: number): ToolContext {
  return {
    thread,
    call,
    index,
    signal,
    entries: async () => (head === null ? [] : store.read(thread, { head })),
    state: (reader) => readState(reader, { store, thread, head }),
  }
}

/** In the protocol that the call came in: OpenAI's goes by ids, Ollama's by names. */
export function resultDraft({ id, name, arguments: given }: Call, { text, status }: ToolOutcome): Draft {
  const message: Message = {
    role: 'tool',
    ...(id !== undefined && { tool_call_id: id }),
    ...((id === undefined || typeof given !== 'string') && { tool_name: name }),
    content: text,
  }
  return { message, facts: { status } }
}
