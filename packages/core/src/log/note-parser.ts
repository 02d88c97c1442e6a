import { BlockParser, noteMarker } from './note-block.ts'
import { endsInHalf, wellFormed } from './json.ts'

/** The tool with which a model can leave a note instead of writing a block. */
export const noteToolName = 'note_to_self'

/** The most characters that a note may have. */
export const longestNote = 4000

/**
 * Removes the notes from the end of a model's answer while it streams.
 *
 * Contract: all that `push` and `end` return, joined, is the answer without its trailing notes, no matter how the
 * answer was split. If an answer was broken off, only what `push` returned may be shown, because the rest may be the
 * beginning of a note.
 */
export interface NoteParser {
  /** Takes the next piece of the answer and returns what may be shown now. */
  push(text: string): string
  /** Returns the rest, and the note. */
  end(): SplitText
}

/** A piece of an answer: the text for the user, and the note that was taken out of it. */
export interface SplitText {
  readonly text: string
  readonly note: string | undefined
}

/**
 * Creates a parser for one answer. Only a block that ends the answer is a note. A block that is quoted, unclosed or
 * followed by other text is plain text. If several blocks end the answer, all are removed, and the last one that is not
 * empty is the note.
 *
 * @example
 * const parser = createNoteParser()
 * for await (const piece of pieces) show(parser.push(piece))
 * const { text, note } = parser.end()
 */
export function createNoteParser(): NoteParser {
  const scan = new BlockParser()
  let held = ''
  let unread = ''
  let given = 0
  let end = 0

  function push(piece: string): string {
    if (piece === '') return ''
    held += piece
    end += piece.length
    const text = unread + piece
    unread = text.slice(scan.read(text))
    // A surrogate pair that is split between two pieces is returned whole.
    return give(Math.min(scan.settled(), endsInHalf(piece) ? end - 1 : end))
  }

  function give(to: number): string {
    if (to <= given) return ''
    const text = held.slice(0, to - given)
    held = held.slice(to - given)
    given = to
    return text
  }

  return {
    push,
    end: () => {
      scan.read(unread, 'end')
      const blocks = scan.trailing()
      const text = held.slice(0, (blocks?.hold ?? end) - given)
      return { text, note: blocks?.note && capNote(held.slice(blocks.note.from - given, blocks.note.to - given)) }
    },
  }
}

/**
 * Returns an answer without its trailing notes, and the note. Use it only for text that a model wrote.
 *
 * @example
 * splitNote('Done.\n[NOTE TO SELF: lamp 3 is red]') // { text: 'Done.', note: 'lamp 3 is red' }
 */
export function splitNote(text: string): SplitText {
  if (!text.includes(noteMarker)) return { text, note: undefined }
  const parser = createNoteParser()
  const shown = parser.push(text)
  const { text: rest, note } = parser.end()
  return { text: shown + rest, note }
}

/** A note without white space around it, cut to the longest length. */
export function capNote(text: string): string {
  const note = text.trim()
  if (note.length <= longestNote) return note
  const kept = wellFormed(note.slice(0, longestNote - roomForCount))
  return `${kept}\n(${note.length - kept.length} more characters were left out)`
}

const roomForCount = 60
