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

/** A note in square brackets that has begun. */
export interface Opening extends Pick<NoteRun, 'hold' | 'notes'> {
  /** The place of the bracket. */
  readonly lead: number
  /** The place where its text begins. */
  readonly from: number
  /** How many brackets were open before it. */
  readonly depth: number
}

/** The most characters that are held back. What is longer is shown: it is not a note. */
export const mostHeld = 4096

/**
 * Where are the notes in a text that comes in pieces? All places count from the start of the text. Each character is read
 * once. It is a class because its methods are called for every character.
 */
export abstract class NoteFinder<O extends Opening = Opening> {
  protected quoting: Quoting = new Quoting()
  /** Which characters matter to quoting. */
  protected care: 0 | 1 | 2 = 1
  /** Notes whose bracket is open, outermost first. */
  protected readonly open: O[] = []
  /** Notes of which the last one has closed its bracket. */
  protected closed: Pick<NoteRun, 'hold' | 'notes'> | undefined = undefined
  /** Brackets opened so far, minus those closed. */
  protected depth = 0
  /** The place of the character that is read, and between two characters that of the next one. */
  protected at = 0
  /** The end of the last character that is not white space. */
  protected ink = 0
  /** The code of the last character. */
  protected last = -1
  /** True if the line has nothing yet but white space, and marks that may come before its text. */
  protected isFresh = true
  /** The end of the text before this line. */
  protected beforeLine = 0
  /** Where the first possible note is held, or Infinity. */
  protected hold: number = Infinity
  private readonly longestLead: number

  constructor(longestLead: number) {
    this.longestLead = longestLead
  }

  /**
   * Reads the next piece and returns how much of it was read. It is less than all if the piece ends with what may be the
   * lead of a note. Pass that rest again with the next piece, or with `end` if there is no next piece.
   */
  read(text: string, end?: 'end'): number {
    const start = this.at
    let index = 0
    while (index < text.length) {
      const code = text.charCodeAt(index)
      this.at = start + index
      if (isPlain(code) && !this.isFresh && this.hold === Infinity && this.care === 0) {
        this.ink = this.at + 1
        this.last = code
        index++
        continue
      }
      const lead = this.begin(text, index, code, end === 'end')
      if (lead === 'wait') break
      if (lead === 0) this.pass(code)
      index += lead || 1
      this.at = start + index
      if (this.at - Math.min(this.hold, this.ink) > mostHeld - this.longestLead) this.release()
    }
    this.at = start + index
    return index
  }

  /** Everything before this place is text or a found note, whatever follows. */
  settled(): number {
    if (this.hold < Infinity) return this.hold
    return this.quoting.isFenced() ? this.at : this.textEnd()
  }

  /** The notes that were found before the end of the text, each run once. */
  abstract found(): readonly NoteRun[]

  /** The notes at the end, if the text ends here. */
  trailing(): NoteRun | undefined {
    return this.closed && { hold: this.closed.hold, to: this.at, notes: this.closed.notes }
  }

  /**
   * Takes the lead of a note and returns its length, or 0 if none begins at `index`, or `wait` if more of the text is
   * needed to tell. `isWhole`: no more text follows.
   */
  protected abstract begin(text: string, index: number, code: number, isWhole: boolean): number | 'wait'

  /** A note has closed its bracket. */
  protected abstract close(opening: O): void

  /** Takes a character that is neither white space nor the closing bracket of a note. */
  protected abstract follow(code: number): void

  /** True for a mark that may come before the text of a line. */
  protected abstract isLineMark(code: number): boolean

  /** Takes the end of a line. */
  protected abstract endLine(): void

  /** Where text ends, if a note begins here. */
  protected textEnd(): number {
    return this.isFresh ? this.beforeLine : this.ink
  }

  protected quote(code: number, isInk: boolean): void {
    if (this.care > 0 || !isPlain(code)) this.care = this.quoting.pass(code, isInk, this.at)
  }

  protected findHold(): void {
    this.hold = Math.min(this.open[0]?.hold ?? Infinity, this.closed?.hold ?? Infinity)
  }

  /** All that is held is text, because it is too long for a note. */
  protected release(): void {
    this.open.length = 0
    this.closed = undefined
    this.hold = Infinity
    this.ink = this.beforeLine = this.at
  }

  private pass(code: number): void {
    const isInk = !isBlank(code) && !isBreak(code)
    this.quote(code, isInk)
    if (isBreak(code)) {
      this.isFresh = true
      this.beforeLine = this.ink
      this.endLine()
    } else if (isInk) {
      this.isFresh &&= this.isLineMark(code)
      if (code === openBracket) this.depth++
      if (code !== closeBracket || !this.closes()) this.follow(code)
      this.ink = this.at + 1
    }
    this.last = code
  }

  /** Closes a note, if the bracket does. */
  private closes(): boolean {
    this.depth--
    const opening = this.open.at(-1)
    if (opening?.depth !== this.depth) return false
    this.open.pop()
    const { hold, notes, lead, from } = opening
    this.closed = { hold, notes: this.ink > from ? [...notes, { lead, from, to: this.at }] : notes }
    this.close(opening)
    this.findHold()
    return true
  }
}

/** True if a character is nothing but text: no white space, no bracket, no mark. */
function isPlain(code: number): boolean {
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
const wideBlanks: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
const plain: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\s[\]*_`~]/.test(String.fromCharCode(code)) ? 0 : 1,
)
