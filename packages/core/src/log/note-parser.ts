import { BlockScan, noteMarker } from './note-block.ts'
import { endsInHalf, wellFormed } from './json.ts'

/** The tool by which a model leaves a note instead of a block. */
export const noteToolName = 'note_to_self'

/** Characters of a note, at most. */
export const longestNote = 4000

/**
 * Takes the notes off the end of a model's answer while it streams.
 *
 * Contract: all that `push` and `end` give out, joined, is the answer without its trailing notes, however it was cut
 * into pieces. Where an answer was broken off, what `push` gave out is all that may be shown: the rest may be the
 * beginning of a note.
 */
export interface NoteParser {
  /** Takes the next piece of the answer and gives out what may be shown now. */
  push(text: string): string
  /** Gives out the rest, and the note. */
  end(): SplitText
}

/** A piece of an answer: the text for the user, and the note that was taken out of it. */
export interface SplitText {
  readonly text: string
  readonly note: string | undefined
}

/**
 * A parser for one answer. Only a block that ends the answer is a note; one that is quoted, unclosed or followed by
 * other text is text. Of several in a row all are taken off, and the last one that is not empty counts.
 *
 * @example
 * const parser = createNoteParser()
 * for await (const piece of pieces) show(parser.push(piece))
 * const { text, note } = parser.end()
 */
export function createNoteParser(): NoteParser {
  const scan = new BlockScan()
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
    // A character that is cut in two is given out whole.
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
 * The answer without its trailing notes, and the note. Only for what a model wrote.
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

/** A note without white space around it, and not too long. */
export function capNote(text: string): string {
  const note = text.trim()
  if (note.length <= longestNote) return note
  const kept = wellFormed(note.slice(0, longestNote - roomForCount))
  return `${kept}\n(${note.length - kept.length} more characters were left out)`
}

const roomForCount = 60
