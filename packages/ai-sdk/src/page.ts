import type { UIMessageChunk } from 'ai'
import type { Entry, Message, OpenCall } from 'minutebook'
import { callPosition } from 'minutebook/inspect'
import type { Call } from 'minutebook/wire'
import { callChunks, isAnswered, isCallPart, type CallPart, type ShownPart } from './call-chunks.ts'
import { inputOf, openCalls } from './open-calls.ts'
import { reasoningId } from './to-ui.ts'
import { toolValue } from './ui-part.ts'

/**
 * What has a page shown of an answer, and what must it be sent next? Every function returns the chunks to send. When the
 * answer is over, the page has the UI message that `uiMessagesOf` makes of the record.
 */
export interface Page {
  text(piece: string): UIMessageChunk[]
  /** Reasoning that comes after the text of its step is not shown: in the record, reasoning comes first. */
  reasoning(piece: string): UIMessageChunk[]
  call(call: Call): UIMessageChunk[]
  result(call: Call, text: string, status: Entry['status']): UIMessageChunk[]
  /** These calls wait for a decision. Each is shown once the calls before it in the same answer are. */
  wait(calls: readonly OpenCall[]): UIMessageChunk[]
  /** A model call is recorded. What the model says next belongs to another step. */
  recorded(): UIMessageChunk[]
  /** Whatever the record has and the page does not. Throws `turn_restarted` if the page has another text. */
  catchUp(parts: readonly ShownPart[]): UIMessageChunk[]
  /** The same for calls of the steps that the page has: the record may be further. */
  settle(parts: readonly ShownPart[]): UIMessageChunk[]
  /** The last chunks. Nothing may follow. */
  end(ending: Ending): UIMessageChunk[]
}

/** How an answer ended, and for people why. */
export interface Ending {
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'waiting'
  readonly reason?: string | undefined
}

/** A model call on the page. */
interface Step {
  text: string
  reasoning: string
  /** The parts of its calls on the page. */
  readonly calls: Map<string, CallPart>
  isRecorded: boolean
}

/** `shown`: what the page has of the answer already, if the stream goes on with it. */
export function createPage(messageId: string, diverged: () => Error, shown: readonly ShownPart[] = []): Page {
  const prefix = `${messageId}-call-`
  const calls = openCalls(prefix)
  const steps: Step[] = []
  let open: 'text' | 'reasoning' | undefined
  /** The calls of the last step that wait, or waited, and have not begun. */
  let waiting: { readonly id: string; readonly name: string }[] = []
  /** Calls that wait, and are not shown yet. */
  let held: readonly OpenCall[] = []
  let isStarted = false
  for (const part of shown) {
    if (part.type === 'step-start') {
      steps.push(newStep(true))
      waiting = []
    }
    const step = steps.at(-1)
    if (!step || !isCallPart(part)) continue
    const name = toolNameOf(part)
    const id = calls.open(part.toolCallId.startsWith(prefix) ? undefined : part.toolCallId, name)
    step.calls.set(id, part)
    if (isAnswered(part)) calls.answer({ role: 'tool', tool_call_id: id })
    else waiting.push({ id, name })
  }
  /** False between two steps. */
  let isInStep = steps.length > 0

  const current = (): Step | undefined => (isInStep ? steps.at(-1) : undefined)
  const blockId = (block: 'text' | 'reasoning'): string =>
    block === 'reasoning' ? reasoningId(steps.length) : `text-${steps.length}`

  function close(): UIMessageChunk[] {
    const closed = open
    open = undefined
    return closed ? [{ type: `${closed}-end`, id: blockId(closed) }] : []
  }

  function closeStep(): UIMessageChunk[] {
    if (!isInStep) return []
    const closed = close()
    isInStep = false
    return [...closed, { type: 'finish-step' }]
  }

  function start(): UIMessageChunk[] {
    if (isStarted) return []
    isStarted = true
    return [{ type: 'start', messageId }]
  }

  /** A page shows an empty step only once another chunk makes it show its message again. */
  function shownStep(): UIMessageChunk[] {
    const last = steps.at(-1)
    const isEmpty = isStarted && last?.text === '' && last.reasoning === '' && last.calls.size === 0
    return isEmpty ? [{ type: 'start', messageId }] : []
  }

  function openStep(): UIMessageChunk[] {
    const before = [...start(), ...closeStep()]
    steps.push(newStep(false))
    waiting = []
    isInStep = true
    return [...before, { type: 'start-step' }]
  }

  /** The step that the model speaks in now. */
  function speaking(): { step: Step; before: UIMessageChunk[] } {
    const step = current()
    if (step && !step.isRecorded) return { step, before: [] }
    const before = openStep()
    return { step: steps.at(-1)!, before }
  }

  function say(block: 'text' | 'reasoning', step: Step, piece: string): UIMessageChunk[] {
    if (piece === '') return []
    step[block] += piece
    const id = blockId(block)
    const before: UIMessageChunk[] = open === block ? [] : [...close(), { type: `${block}-start`, id }]
    open = block
    return [...before, { type: `${block}-delta`, id, delta: piece }]
  }

  function fill(step: Step, part: ShownPart): UIMessageChunk[] {
    const { type, text = '' } = part
    if (type === 'text') {
      if (!text.startsWith(step.text)) throw diverged()
      return say('text', step, text.slice(step.text.length))
    }
    if (type === 'reasoning')
      return step.text === '' && step.calls.size === 0 ? say('reasoning', step, text.slice(step.reasoning.length)) : []
    if (type === 'file') return [...close(), { type, url: part.url ?? '', mediaType: part.mediaType ?? '' }]
    return []
  }

  /** Shows a call as this part does. The page has all calls of a step that is not its last one. */
  function show(step: Step, part: CallPart): UIMessageChunk[] {
    const has = step.calls.get(part.toolCallId)
    if (!has && step !== current()) return []
    if (!has && !isAnswered(part)) waiting.push({ id: part.toolCallId, name: toolNameOf(part) })
    step.calls.set(part.toolCallId, part)
    const chunks = callChunks(has, part)
    return chunks.length === 0 ? [] : [...start(), ...(has ? [] : close()), ...chunks]
  }

  /** The step whose calls run. They run once they are recorded. */
  function calling(): { step: Step; before: UIMessageChunk[] } {
    const before = current() ? close() : openStep()
    const step = steps.at(-1)!
    step.isRecorded = true
    return { step, before }
  }

  function release(isLast: boolean): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = []
    for (let [next] = held; next; [next] = held) {
      const { step, before } = calling()
      const index = callPosition(next.id)?.index ?? 0
      if (!isLast && index > step.calls.size) return [...chunks, ...before]
      held = held.slice(1)
      const { id, needs, call } = next
      const part = callPart(calls.open(call.id, call.name), call)
      const asked = { ...part, state: 'approval-requested', approval: { id } }
      chunks.push(...before, ...show(step, needs === 'approval' ? asked : part))
    }
    return chunks
  }

  const page: Page = {
    text: (piece) => {
      if (piece === '') return []
      const { step, before } = speaking()
      return [...before, ...say('text', step, piece)]
    },
    reasoning: (piece) => {
      if (piece === '') return []
      const { step, before } = speaking()
      return step.text === '' ? [...before, ...say('reasoning', step, piece)] : before
    },
    call: (call) => {
      const { step, before } = calling()
      const begun = waiting.findIndex(({ id, name }) => (call.id === undefined ? name === call.name : id === call.id))
      if (begun >= 0) waiting.splice(begun, 1)
      if (begun >= 0 || (call.id !== undefined && step.calls.has(call.id))) return before
      const part = callPart(calls.open(call.id, call.name), call)
      step.calls.set(part.toolCallId, part)
      return [...before, ...callChunks(undefined, part), ...release(false)]
    },
    result: (call, text, status) => {
      const step = current()
      // A call that ran before a crash is not made again: only its result comes.
      const made = step && (call.id === undefined || step.calls.has(call.id)) ? [] : page.call(call)
      const { toolCallId } = calls.answer(answerTo(call))
      const isFailed = status === 'failed' || status === 'cancelled'
      const outcome = isFailed
        ? { state: 'output-error', errorText: text }
        : { state: 'output-available', output: toolValue(text) }
      const last = steps.at(-1)!
      return [...made, ...show(last, { ...(last.calls.get(toolCallId) ?? callPart(toolCallId, call)), ...outcome })]
    },
    wait: (open) => {
      held = open
      return release(false)
    },
    recorded: () => {
      const step = current()
      if (!step || step.isRecorded) return closeStep()
      step.isRecorded = true
      return close()
    },
    catchUp: (parts) => {
      const chunks: UIMessageChunk[] = []
      let at = -1
      for (const part of parts) {
        if (part.type === 'step-start') {
          if (++at >= steps.length) chunks.push(...openStep())
          continue
        }
        const step = steps[at]
        if (!step) continue
        if (isCallPart(part)) chunks.push(...show(step, part))
        else if (at === steps.length - 1 && !step.isRecorded) chunks.push(...fill(step, part))
      }
      const last = steps[at]
      if (last && !last.isRecorded) chunks.push(...page.recorded())
      return chunks
    },
    settle: (parts) => {
      let at = -1
      return parts.flatMap((part) => {
        if (part.type === 'step-start') at++
        const step = steps[at]
        return step && isCallPart(part) ? show(step, part) : []
      })
    },
    end: ({ status, reason }) => {
      const released = release(true)
      // As in the record: a turn that was stopped after calls ends with an empty step.
      const stopped = status === 'cancelled' && (steps.at(-1)?.calls.size ?? 0) > 0 ? openStep() : []
      const closed = [...released, ...stopped, ...closeStep(), ...shownStep()]
      if (status === 'waiting') return [...closed, { type: 'finish', finishReason: 'tool-calls' }]
      if (status === 'failed') return [...closed, { type: 'error', errorText: reason ?? 'There is no answer.' }]
      // The first versions of 6 refuse an abort that says why.
      if (status === 'cancelled') return [...closed, { type: 'abort' }]
      return [...closed, { type: 'finish', finishReason: status === 'partial' ? 'length' : 'stop' }]
    },
  }
  return page
}

function newStep(isRecorded: boolean): Step {
  return { text: '', reasoning: '', calls: new Map(), isRecorded }
}

function callPart(toolCallId: string, { name, arguments: given }: Call): CallPart {
  return { type: `tool-${name}`, toolCallId, state: 'input-available', input: inputOf(given) }
}

function toolNameOf({ type }: CallPart): string {
  return type.slice('tool-'.length)
}

function answerTo({ id, name }: Call): Message {
  return { role: 'tool', tool_name: name, ...(id !== undefined && { tool_call_id: id }) }
}
