import { createNoteParser, type NoteParser } from 'minutebook/wire'
import type { AnswerPart, StreamPart } from './sdk-types.ts'

/** Gathers what a stream says, and holds the notes back from it. */
export interface Collector {
  /** The parts that may be passed on now that this one came. */
  take(part: StreamPart): StreamPart[]
  /** What was passed on so far, as the parts of an answer. */
  content(): AnswerPart[]
  /** The notes that were held back. */
  readonly blocks: readonly string[]
}

type Metadata = Extract<AnswerPart, { type: 'text' }>['providerMetadata']

type WritingPart = Extract<StreamPart, { type: 'text-delta' | 'text-end' | 'reasoning-delta' | 'reasoning-end' }>

/** A stretch of text or reasoning that is being written. */
interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
  metadata: Metadata
  readonly parser: NoteParser | undefined
  /** The part that opens it, until it is known that there is something to show. */
  start: StreamPart | undefined
}

export function createCollector(withNotes: boolean): Collector {
  const gathered: (AnswerPart | Block)[] = []
  const open = new Map<string, Block>()
  const blocks: string[] = []

  function begin(part: Extract<StreamPart, { type: 'text-start' | 'reasoning-start' }>): StreamPart[] {
    const type = part.type === 'text-start' ? 'text' : 'reasoning'
    const held = withNotes && type === 'text'
    const block: Block = {
      type,
      text: '',
      metadata: part.providerMetadata,
      parser: held ? createNoteParser() : undefined,
      start: held ? part : undefined,
    }
    open.set(`${type} ${part.id}`, block)
    gathered.push(block)
    return held ? [] : [part]
  }

  function say(block: Block, id: string, text: string, metadata?: Metadata): StreamPart[] {
    block.text += text
    if (text === '') return []
    return [...opening(block), { type: 'text-delta', id, delta: text, ...(metadata && { providerMetadata: metadata }) }]
  }

  function opening(block: Block): StreamPart[] {
    const { start } = block
    block.start = undefined
    return start ? [start] : []
  }

  function end(block: Block, part: Extract<StreamPart, { type: 'text-end' | 'reasoning-end' }>): StreamPart[] {
    if (!block.parser) return [part]
    const rest = say(block, part.id, block.parser.end())
    const { notes } = block.parser
    blocks.push(...notes)
    // A text that was nothing but a note is not there at all.
    return block.start && notes.length > 0 ? [] : [...rest, ...opening(block), part]
  }

  function take(part: StreamPart): StreamPart[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return begin(part)
      case 'text-delta':
      case 'text-end':
        return write(open.get(`text ${part.id}`), part)
      case 'reasoning-delta':
      case 'reasoning-end':
        return write(open.get(`reasoning ${part.id}`), part)
      case 'tool-call':
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        gathered.push(part)
        return [part]
      default:
        return [part]
    }
  }

  function write(block: Block | undefined, part: WritingPart): StreamPart[] {
    if (!block) return [part]
    block.metadata = part.providerMetadata ?? block.metadata
    if (part.type === 'text-end' || part.type === 'reasoning-end') return end(block, part)
    if (block.parser) return say(block, part.id, block.parser.push(part.delta), part.providerMetadata)
    block.text += part.delta
    return [part]
  }

  return {
    take,
    blocks,
    content: () => gathered.map((part) => ('parser' in part ? partOf(part) : part)),
  }
}

function partOf({ type, text, metadata }: Block): AnswerPart {
  return { type, text, ...(metadata && { providerMetadata: metadata }) }
}
