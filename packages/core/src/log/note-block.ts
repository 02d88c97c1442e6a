import { Quoting } from './quoting.ts'

/** The places of a note: where its lead begins, where its text begins, where its text ends. */
export interface NotePosition {
  readonly lead: number
  readonly from: number
  readonly to: number
}

/** Notes that are removed from a text: nothing but white space and closing marks is between them. */
export interface NoteRun {
  /** The place where the white space before the first note begins. */
  readonly hold: number
  /** The place where the text goes on. */
  readonly to: number
  /** Those that are not empty, in their order. */
  readonly notes: readonly NotePosition[]
}

/** Where are the notes in a text that comes in pieces? All places count from the start of the text. */
export interface NoteFinder {
  /**
   * Reads the next piece and returns how much of it was read. It is less than all if the piece ends with what may be the
   * lead of a note. Pass that rest again with the next piece, or with `end` if there is no next piece.
   */
  read(text: string, end?: 'end'): number
  /** Everything before this place is text or a found note, whatever follows. */
  settled(): number
  /** The notes that were found before the end of the text, each run once. */
  found(): readonly NoteRun[]
  /** The notes at the end, if the text ends here. */
  trailing(): NoteRun | undefined
}

/** The exact form. It ends with the bracket that balances the first. */
export const noteMarker = '[NOTE TO SELF:'

/** The most characters that are held back. What is longer is shown: it is not a note. */
export const mostHeld = 4096

/** A block that has begun. */
interface Opening extends Pick<NoteRun, 'hold' | 'notes'> {
  /** The place of the bracket. */
  readonly lead: number
  /** How many brackets were open before it. */
  readonly depth: number
}

/** Blocks of which the last one has closed its bracket. */
interface Closed extends Pick<NoteRun, 'hold' | 'notes'> {
  /** Where its line ended, if it was the last thing on it. */
  readonly ended: number | undefined
}

/**
 * Finds blocks `[NOTE TO SELF: …]` that are the last thing on their line and are not quoted; text may follow on later
 * lines. Reads each character once. It is a class because its methods are called for every character.
 */
export class BlockFinder implements NoteFinder {
  private quoting: Quoting = new Quoting()
  /** Which characters matter to quoting. */
  private care: 0 | 1 | 2 = 1
  /** Blocks that are open, outermost first. */
  private readonly open: Opening[] = []
  private closed: Closed | undefined = undefined
  private taken: NoteRun[] = []
  /** Brackets opened so far, minus those closed. */
  private depth = 0
  private at = 0
  /** The end of the last character that is not white space. */
  private ink = 0
  /** Where the first possible note is held, or Infinity. */
  private hold: number = Infinity
  /** The code of the last character. */
  private last = -1
  /** Where the text before this line ends, if the line has only the marks of a list or heading so far. Else -1. */
  private beforeMarks = 0

  read(text: string, end?: 'end'): number {
    const start = this.at
    let index = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      this.at = start + index
      if (isPlain(code) && this.hold === Infinity && this.care === 0) {
        this.see(code)
        continue
      }
      if (code === openBracket) {
        const seen = text.slice(index, index + noteMarker.length)
        if (end === undefined && seen !== noteMarker && noteMarker.startsWith(seen)) break
        if (seen === noteMarker) {
          this.begin()
          index += noteMarker.length - 1
        } else this.pass(code)
      } else this.pass(code)
      if (this.at + 1 - Math.min(this.hold, this.ink) > mostHeld - noteMarker.length) this.release()
    }
    this.at = start + index
    return index
  }

  settled(): number {
    if (this.hold < Infinity) return this.hold
    if (this.quoting.isFenced()) return this.at
    return this.beforeMarks >= 0 ? this.beforeMarks : this.ink
  }

  found(): readonly NoteRun[] {
    const { taken } = this
    if (taken.length > 0) this.taken = []
    return taken
  }

  trailing(): NoteRun | undefined {
    return this.closed && { hold: this.closed.hold, to: this.at, notes: this.closed.notes }
  }

  private begin(): void {
    const { at, depth, last } = this
    this.takeEnded()
    const { closed } = this
    const hold = closed?.hold ?? (this.beforeMarks >= 0 ? this.beforeMarks : this.ink)
    this.quote(openBracket, true)
    const isQuoted = !closed && this.quoting.isQuoted(last)
    for (let each = 1; each < noteMarker.length; each++) {
      this.at++
      this.quote(noteMarker.charCodeAt(each), true)
    }
    this.depth++
    this.closed = undefined
    if (!isQuoted) this.open.push({ hold, notes: closed?.notes ?? [], lead: at, depth })
    this.findHold()
    this.see(colon)
  }

  /** Takes a character that is not white space. */
  private see(code: number): void {
    this.ink = this.at + 1
    this.last = code
    if (!lineMarks.has(code) || this.at - this.beforeMarks > longestMarks) this.beforeMarks = -1
  }

  private quote(code: number, isInk: boolean): void {
    if (this.care > 0 || !isPlain(code)) this.care = this.quoting.pass(code, isInk, this.at)
  }

  private pass(code: number): void {
    const isInk = !isBlank(code) && !isBreak(code)
    this.quote(code, isInk)
    if (isBreak(code)) {
      this.endLine()
      this.last = code
    } else if (isInk) {
      if (code === openBracket) this.depth++
      if (code !== closeBracket || !this.closes()) {
        this.takeEnded()
        if (this.closed) {
          this.closed = undefined
          this.findHold()
        }
      }
      this.see(code)
    } else this.last = code
  }

  /** Closes a block, if the bracket does. */
  private closes(): boolean {
    this.depth--
    if (this.open.at(-1)?.depth !== this.depth) return false
    const { hold, notes, lead } = this.open.pop() as Opening
    const from = lead + noteMarker.length
    this.closed = {
      hold,
      notes: this.ink > from ? [...notes, { lead, from, to: this.at }] : notes,
      ended: undefined,
    }
    this.findHold()
    return true
  }

  private endLine(): void {
    this.beforeMarks = this.ink
    if (!this.closed || this.closed.ended !== undefined) return
    this.closed = { ...this.closed, ended: this.at }
    if (this.open.length > 0) return
    // Nothing was quoted before the blocks, and marks within them have no effect outside.
    this.quoting = new Quoting()
    this.care = 1
  }

  /** Takes blocks whose line has ended: they are notes, whatever follows. A block within an open one is a part of that. */
  private takeEnded(): void {
    const { closed } = this
    if (closed?.ended === undefined || this.open.length > 0) return
    this.taken.push({ hold: closed.hold, to: closed.ended, notes: closed.notes })
    this.closed = undefined
    this.findHold()
  }

  private findHold(): void {
    this.hold = Math.min(this.open[0]?.hold ?? Infinity, this.closed?.hold ?? Infinity)
  }

  /** All that is held is text, because it is too long for a note. */
  private release(): void {
    this.takeEnded()
    this.open.length = 0
    this.closed = undefined
    this.hold = Infinity
    this.beforeMarks = -1
    this.ink = this.at + 1
  }
}

/** True if a character is nothing but text: no white space, no bracket, no mark. */
export function isPlain(code: number): boolean {
  return code < 0x80 ? plain[code] === 1 : code > 0xa0 && code < 0x1680
}

export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d
}

/** What `trim` removes, except for line breaks. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c
  return code === 0xa0 || (code >= 0x1680 && (wideBlanks.has(code) || (code >= 0x2000 && code <= 0x200a)))
}

export const openBracket = 0x5b
export const closeBracket = 0x5d
const colon = 0x3a
const longestMarks = 64
const lineMarks: ReadonlySet<number> = new Set('-*+•#_'.split('').map((mark) => mark.charCodeAt(0)))
const wideBlanks: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
const plain: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\s[\]*_`~]/.test(String.fromCharCode(code)) ? 0 : 1,
)
