import { endsInHalf, wellFormed } from './json.ts'
import { BlockFinder, noteMarker } from './note-block.ts'
import { LenientFinder } from './lenient-notes.ts'
import type { NoteFinder, NoteRun } from './note-finder.ts'
import { noteText } from './note-lead.ts'

/** The tool with which a model can leave a note instead of writing a block. */
export const noteToolName = 'note_to_self'

/** True for a call of that tool, and for what names it as answered: neither is for people, or for a journal. */
export function isNoteCall(call: { readonly name?: unknown } | undefined): boolean {
  return call?.name === noteToolName
}

/** The most characters that a note may have. */
export const longestNote = 4000

/**
 * Removes the notes from a model's answer while it streams.
 *
 * Contract: all that `push` and `end` return, joined, is the answer without its notes, no matter how the answer was
 * split. If an answer was broken off, only what `push` returned may be shown, because the rest may be the beginning of a
 * note.
 */
export interface NoteParser {
  /** The notes that were removed so far, in their order. */
  readonly notes: readonly string[]
  /** Takes the next piece of the answer and returns what may be shown now. */
  push(text: string): string
  /** Returns the rest. */
  end(): string
}

/** An answer: the text for the user, and the notes that were taken out of it, in their order. */
export interface SplitText {
  readonly text: string
  readonly notes: readonly string[]
}

/**
 * What counts as a note. `exact`: only `[NOTE TO SELF: …]`. `lenient`: also what small models write at the end of an
 * answer instead, in any case, in bold, in a code block, in a quotation, as a list item, with a full stop behind it, with
 * its bracket unclosed or without one.
 */
export type NoteForm = 'lenient' | 'exact'

/**
 * Creates a parser for one answer. A block `[NOTE TO SELF: …]` is a note if it is the last thing on its line and is not
 * quoted; text may follow on later lines. The lenient forms are notes only at the end of the answer. In square brackets
 * they may follow other text on their line; all others begin a line. Notes without words are removed, too. For each
 * form no more than 4,096 characters are held back: what is longer is text. `form`: default `lenient`.
 *
 * @example
 * const parser = createNoteParser()
 * for await (const piece of pieces) show(parser.push(piece))
 * show(parser.end())
 * const note = parser.notes.at(-1)
 */
export function createNoteParser(form: NoteForm = 'lenient'): NoteParser {
  const blocks = partParser(new BlockFinder())
  if (form === 'exact') return blocks
  // The lenient forms are looked for in what the blocks leave.
  const others = partParser(new LenientFinder())
  return {
    get notes() {
      const found = [...blocks.found, ...others.found].toSorted((one, other) => one.at - other.at)
      return found.map(({ note }) => note)
    },
    push: (text) => others.push(blocks.push(text)),
    end: () => others.push(blocks.end()) + others.end(),
  }
}

/** A parser for one of the forms. */
interface PartParser extends NoteParser {
  /** The notes. `at`: their place in the text, if all that was found by this parser is removed. */
  readonly found: readonly { readonly at: number; readonly note: string }[]
}

function partParser(finder: NoteFinder): PartParser {
  const found: { readonly at: number; readonly note: string }[] = []
  let held = ''
  let unread = ''
  let given = 0
  let shownLength = 0
  /** True if a note was removed from the beginning, and nothing was shown since. */
  let isBare = false

  function push(piece: string): string {
    if (piece === '') return ''
    held += piece
    const text = unread + piece
    unread = text.slice(finder.read(text))
    return foundBefore() + upTo(wholeBefore(finder.settled()))
  }

  function end(): string {
    finder.read(unread, 'end')
    const last = finder.trailing()
    const shown = foundBefore() + upTo(last?.hold ?? given + held.length)
    if (last) remove(last, true)
    return shown
  }

  /** The text before each note that was found by now, without these notes. */
  function foundBefore(): string {
    let shown = ''
    for (const run of finder.found()) {
      shown += upTo(run.hold)
      remove(run)
    }
    return shown
  }

  function upTo(place: number): string {
    const text = held.slice(0, Math.max(place - given, 0))
    drop(text.length)
    const shown = isBare ? text.trimStart() : text
    if (shown !== '') isBare = false
    shownLength += shown.length
    return shown
  }

  /** A surrogate pair that is split between two pieces is returned whole. */
  function wholeBefore(place: number): number {
    return endsInHalf(held.slice(0, Math.max(place - given, 0))) ? place - 1 : place
  }

  function remove({ notes: places, to: end }: NoteRun, isLast = false): void {
    for (const { lead, from, to } of places) {
      const note = capNote(noteText(held.slice(lead - given, from - given), held.slice(from - given, to - given)))
      if (note !== '') found.push({ at: shownLength + (isLast ? lead - given : 0), note })
    }
    drop(end - given)
    if (shownLength === 0) isBare = true
  }

  function drop(length: number): void {
    held = held.slice(length)
    given += length
  }

  return {
    found,
    get notes() {
      return found.map(({ note }) => note)
    },
    push,
    end,
  }
}

/**
 * Returns an answer without its notes, and the notes. Use it only for text that a model wrote. `form`: default
 * `lenient`.
 *
 * @example
 * splitNotes('Done.\n[NOTE TO SELF: lamp 3 is red]\nBye!') // { text: 'Done.\nBye!', notes: ['lamp 3 is red'] }
 * splitNotes('Done.\n**Note to self:** lamp 3 is red') // { text: 'Done.', notes: ['lamp 3 is red'] }
 */
export function splitNotes(text: string, form: NoteForm = 'lenient'): SplitText {
  if (form === 'exact' ? !text.includes(noteMarker) : !/self/i.test(text)) return { text, notes: [] }
  const parser = createNoteParser(form)
  const shown = parser.push(text)
  return { text: shown + parser.end(), notes: parser.notes }
}

/** A note without white space around it, cut to the longest length. */
export function capNote(text: string): string {
  const note = text.trim()
  if (note.length <= longestNote) return note
  const kept = wellFormed(note.slice(0, longestNote - roomForCount))
  return `${kept}\n(${note.length - kept.length} more characters were left out)`
}

const roomForCount = 60
