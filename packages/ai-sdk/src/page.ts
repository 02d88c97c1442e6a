import type { UIMessageChunk } from 'ai'
import type { Entry, Message } from 'minutebook'
import type { Call } from 'minutebook/wire'
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
  /** A model call is recorded. What the model says next belongs to another step. */
  recorded(): UIMessageChunk[]
  /** Whatever the record has and the page does not. Throws `turn_restarted` if the page has another text. */
  catchUp(parts: readonly ShownPart[]): UIMessageChunk[]
  /** The last chunks. Nothing may follow. */
  end(ending: Ending): UIMessageChunk[]
}

/** A part of a UI message, by its fields. */
export interface ShownPart {
  readonly type: string
  readonly text?: string
  readonly url?: string
  readonly mediaType?: string
  readonly toolCallId?: string
  readonly state?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly errorText?: string
}

/** How an answer ended, and for people why. */
export interface Ending {
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed'
  readonly reason?: string | undefined
}

/** A model call on the page. */
interface Step {
  text: string
  reasoning: string
  readonly calls: Set<string>
  readonly answered: Set<string>
  isRecorded: boolean
}

export function createPage(messageId: string, diverged: () => Error): Page {
  const steps: Step[] = []
  const calls = openCalls(`${messageId}-call-`)
  let open: 'text' | 'reasoning' | undefined
  /** False between two steps. */
  let isInStep = false

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

  function openStep(): UIMessageChunk[] {
    const before = steps.length === 0 ? [{ type: 'start', messageId } as const] : closeStep()
    steps.push({ text: '', reasoning: '', calls: new Set(), answered: new Set(), isRecorded: false })
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
    const { type, text = '', toolCallId } = part
    if (type === 'text') {
      if (!text.startsWith(step.text)) throw diverged()
      return say('text', step, text.slice(step.text.length))
    }
    if (type === 'reasoning')
      return step.text === '' && step.calls.size === 0 ? say('reasoning', step, text.slice(step.reasoning.length)) : []
    if (type === 'file') return [...close(), { type, url: part.url ?? '', mediaType: part.mediaType ?? '' }]
    if (toolCallId === undefined || step.calls.has(toolCallId)) return []
    step.calls.add(toolCallId)
    return [...close(), inputChunk(toolCallId, type.slice('tool-'.length), part.input)]
  }

  function answer(step: Step, id: string, outcome: Omit<ShownPart, 'type'>): UIMessageChunk[] {
    if (step.answered.has(id)) return []
    step.answered.add(id)
    const { state, errorText = '', output } = outcome
    return state === 'output-error'
      ? [{ type: 'tool-output-error', toolCallId: id, errorText }]
      : [{ type: 'tool-output-available', toolCallId: id, output }]
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
      const before = current() ? close() : openStep()
      const step = steps.at(-1)!
      const id = calls.open(call.id, call.name)
      step.calls.add(id)
      // Calls run once they are recorded.
      step.isRecorded = true
      return [...before, inputChunk(id, call.name, inputOf(call.arguments))]
    },
    result: (call, text, status) => {
      const step = current()
      // A call that ran before a crash is not made again: only its result comes.
      const made = step && (call.id === undefined || step.calls.has(call.id)) ? [] : page.call(call)
      const { toolCallId } = calls.answer(answerTo(call))
      const isFailed = status === 'failed' || status === 'cancelled'
      const outcome = isFailed ? { state: 'output-error', errorText: text } : { output: toolValue(text) }
      return [...made, ...answer(steps.at(-1)!, toolCallId, outcome)]
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
        if (at === steps.length - 1 && !step.isRecorded) chunks.push(...fill(step, part))
        const { toolCallId, state = '' } = part
        if (toolCallId !== undefined && state.startsWith('output-')) chunks.push(...answer(step, toolCallId, part))
      }
      const last = steps[at]
      if (last && !last.isRecorded) chunks.push(...page.recorded())
      return chunks
    },
    end: ({ status, reason }) => {
      const closed = closeStep()
      if (status === 'failed') return [...closed, { type: 'error', errorText: reason ?? 'There is no answer.' }]
      if (status === 'cancelled') return [...closed, { type: 'abort', ...(reason !== undefined && { reason }) }]
      return [...closed, { type: 'finish', finishReason: status === 'partial' ? 'length' : 'stop' }]
    },
  }
  return page
}

function inputChunk(toolCallId: string, toolName: string, input: unknown): UIMessageChunk {
  return { type: 'tool-input-available', toolCallId, toolName, input }
}

function answerTo({ id, name }: Call): Message {
  return { role: 'tool', tool_name: name, ...(id !== undefined && { tool_call_id: id }) }
}
