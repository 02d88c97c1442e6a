import { endsInHalf, wellFormed } from './json.ts'
import { NoteFinder, type NotePosition } from './note-finder.ts'
import { noteMarker, noteText } from './note-lead.ts'

/** The tool with which a model can leave a note instead of writing a block. */
export const noteToolName = 'note_to_self'

/** True for a call of that tool, and for what names it as answered: neither is for people, or for a journal. */
export function isNoteCall(call: { readonly name?: unknown } | undefined): boolean {
  return call?.name === noteToolName
}

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
 * What counts as a note. `exact`: only `[NOTE TO SELF: …]`. `lenient`: also what small models write instead, in any case,
 * in bold, in a code block, in a quotation, as a list item, with a full stop behind it, with its bracket unclosed or
 * without one.
 */
export type NoteForm = 'lenient' | 'exact'

/**
 * Creates a parser for one answer. A note is the last thing in the answer. In square brackets it may follow other text
 * on its line, if it is not quoted there; in all other forms it begins a line. If several notes end the answer, all are
 * removed, and the last one that is not empty is the note. No more than 4,096 characters are held back: what is longer
 * is text. `form`: default `lenient`.
 *
 * @example
 * const parser = createNoteParser()
 * for await (const piece of pieces) show(parser.push(piece))
 * const { text, note } = parser.end()
 */
export function createNoteParser(form: NoteForm = 'lenient'): NoteParser {
  const finder = new NoteFinder()
  let held = ''
  let unread = ''
  let given = 0

  function push(piece: string): string {
    if (piece === '') return ''
    held += piece
    const text = unread + piece
    unread = text.slice(finder.read(text))
    return give(finder.settled())
  }

  function give(to: number): string {
    const known = held.slice(0, Math.max(to - given, 0))
    // A surrogate pair that is split between two pieces is returned whole.
    const text = endsInHalf(known) ? known.slice(0, -1) : known
    held = held.slice(text.length)
    given += text.length
    return text
  }

  return {
    push,
    end: () => {
      finder.read(unread, 'end')
      const found = finder.trailing(form === 'exact')
      return { text: found ? held.slice(0, found.hold - given) : held, note: noteIn(found?.note) }
    },
  }

  function noteIn(at: NotePosition | undefined): string | undefined {
    if (!at) return undefined
    const [lead, from, to] = [at.lead - given, at.from - given, at.to - given]
    return capNote(noteText(held.slice(lead, from), held.slice(from, to))) || undefined
  }
}

/**
 * Returns an answer without its trailing notes, and the note. Use it only for text that a model wrote. `form`: default
 * `lenient`.
 *
 * @example
 * splitNote('Done.\n[NOTE TO SELF: lamp 3 is red]') // { text: 'Done.', note: 'lamp 3 is red' }
 * splitNote('Done.\n**Note to self:** lamp 3 is red') // the same
 */
export function splitNote(text: string, form: NoteForm = 'lenient'): SplitText {
  if (form === 'exact' ? !text.includes(noteMarker) : !/self/i.test(text)) return { text, note: undefined }
  const parser = createNoteParser(form)
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
