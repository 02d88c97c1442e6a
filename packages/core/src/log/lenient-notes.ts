import {
  closeBracket,
  isBlank,
  isBreak,
  isPlain,
  mostHeld,
  openBracket,
  type NoteFinder,
  type NotePosition,
  type NoteRun,
} from './note-block.ts'
import { continues, leadAt, longestLead, signs, type Lead } from './note-lead.ts'
import { Quoting } from './quoting.ts'

/** A note in square brackets that has begun. */
interface Opening {
  readonly hold: number
  /** The place of the bracket. */
  readonly lead: number
  readonly from: number
  /** How many brackets were open before it. */
  readonly depth: number
  /** True if it did not begin a line: only emphasis may follow it. */
  readonly isInside: boolean
  readonly before: readonly NotePosition[]
}

/** Notes of which the last one has closed its bracket. */
interface Closed extends Pick<NoteRun, 'hold' | 'notes'> {
  readonly isInside: boolean
}

/** A note without a bracket, or whose bracket is not closed: it is as long as its line, and lines that continue it. */
interface Line {
  readonly hold: number
  readonly lead: number
  readonly from: number
  /** How it began. */
  readonly as: Lead
  readonly before: readonly NotePosition[]
  readonly opening: Opening | undefined
  /** True as soon as it has a word. */
  hasText: boolean
  /** True if the current line is not known to continue it: a word on it shows that it does not. */
  isOver: boolean
  /** Pairs that were opened inside, and the place where its own pair closed, or -1. */
  nested: number
  closedAt: number
}

/**
 * Finds the notes at the end of a text, in all the forms in which small models write them. Reads each character once. It
 * is a class because its methods are called for every character.
 */
export class LenientFinder implements NoteFinder {
  private readonly quoting: Quoting = new Quoting()
  /** Which characters matter to quoting. */
  private care: 0 | 1 | 2 = 1
  /** Brackets of notes that are open, outermost first. */
  private readonly open: Opening[] = []
  private closed: Closed | undefined = undefined
  private line: Line | undefined = undefined
  /** Brackets opened so far, minus those closed. */
  private depth = 0
  private at = 0
  /** The end of the last character that is not white space. */
  private ink = 0
  /** Where the first possible note is held, or Infinity. */
  private hold: number = Infinity
  /** The code of the last character. */
  private last = -1
  private lineStart = 0
  /** True if the line has only white space so far. */
  private isFresh = true

  read(text: string, end?: 'end'): number {
    const start = this.at
    let index = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (isPlain(code) && !this.isFresh && this.hold === Infinity && this.care === 0) {
        this.ink = start + index + 1
        this.last = code
        continue
      }
      this.at = start + index
      const lead = this.leadHere(text, index, code, end === 'end')
      if (lead === 'wait') break
      if (lead) {
        this.begin(text, index, lead)
        index = lead.from - 1
      } else this.pass(code)
      this.at = start + index + 1
      if (this.at - Math.min(this.hold, this.ink) > mostHeld - longestLead) this.release()
    }
    this.at = start + index
    return index
  }

  settled(): number {
    if (this.hold < Infinity) return this.hold
    return this.quoting.isFenced() ? this.at : this.ink
  }

  /** None: the lenient forms are notes only at the end. */
  found(): readonly NoteRun[] {
    return []
  }

  trailing(): NoteRun | undefined {
    const { line, closed, at: to } = this
    if (line) return { hold: line.hold, to, notes: this.notesOf(line) }
    return closed && { hold: closed.hold, to, notes: closed.notes }
  }

  private notesOf(line: Line): readonly NotePosition[] {
    return line.hasText ? [...line.before, { lead: line.lead, from: line.from, to: this.ink }] : line.before
  }

  private leadHere(text: string, index: number, code: number, isWhole: boolean): Lead | 'wait' | undefined {
    if (!this.isFresh) {
      const isStart = code === openBracket || (isEmphasis(code) && !isEmphasis(this.last))
      return isStart && this.isFree(this.last) ? leadAt(text, index, 'inside', isWhole) : undefined
    }
    if (isBlank(code) || isBreak(code)) return undefined
    const { line } = this
    if (!line && !this.closed && this.quoting.isFenced()) return undefined
    const lead = leadAt(text, index, 'line', isWhole)
    if (lead || !line) return lead
    const goesOn = continues(text, index, line.as, this.at - this.lineStart, isWhole)
    if (goesOn === 'wait') return 'wait'
    line.isOver = !goesOn
    return undefined
  }

  /** Directly after a note nothing is quoted: a backtick inside the note has no effect outside of it. */
  private isFree(before: number): boolean {
    return this.closed !== undefined || !this.quoting.isQuoted(before)
  }

  private begin(text: string, index: number, lead: Lead): void {
    const { at, closed, line, isFresh } = this
    const before = line ? this.notesOf(line) : (closed?.notes ?? [])
    const hold = (line ?? closed)?.hold ?? this.ink
    let depth = 0
    for (let each = index; each < lead.from; each++) {
      if (each === lead.bracket) depth = this.depth
      this.at = at + each - index
      this.skip(text.charCodeAt(each))
    }
    this.closed = undefined
    this.isFresh = false
    const from = at + lead.from - index
    let opening: Opening | undefined
    if (lead.bracket >= 0) {
      opening = { hold, lead: at + lead.bracket - index, from, depth, isInside: !isFresh, before }
      this.open.push(opening)
    }
    if (isFresh || !line)
      this.line = {
        hold,
        lead: at,
        from,
        as: lead,
        before,
        opening,
        hasText: false,
        isOver: false,
        nested: 0,
        closedAt: -1,
      }
    this.findHold()
  }

  /** Takes a character of a lead. */
  private skip(code: number): void {
    if (code === openBracket) this.depth++
    else if (code === closeBracket) this.depth--
    const isInk = !isBlank(code) && !isBreak(code)
    this.quote(code, isInk)
    if (isInk) this.ink = this.at + 1
    this.last = code
  }

  private quote(code: number, isInk: boolean): void {
    if (this.care > 0 || !isPlain(code)) this.care = this.quoting.pass(code, isInk, this.at)
  }

  private pass(code: number): void {
    const isInk = !isBlank(code) && !isBreak(code)
    this.quote(code, isInk)
    if (isBreak(code)) {
      this.isFresh = true
      this.lineStart = this.at + 1
    } else if (isInk) {
      this.isFresh = false
      if (code === openBracket) this.depth++
      if (code !== closeBracket || !this.closes()) {
        if (this.closed) this.afterNote(code, this.closed)
        if (this.line) this.inLine(code, this.line)
      }
      this.ink = this.at + 1
    }
    this.last = code
  }

  /** Closes a note, if the bracket does. */
  private closes(): boolean {
    this.depth--
    if (this.open.at(-1)?.depth !== this.depth) return false
    const opening = this.open.pop() as Opening
    const { hold, lead, from, before, isInside } = opening
    this.closed = { hold, notes: this.ink > from ? [...before, { lead, from, to: this.at }] : before, isInside }
    if (this.line?.opening === opening) this.line = undefined
    this.findHold()
    return true
  }

  private afterNote(code: number, { isInside }: Closed): void {
    const isSign = isInside ? isEmphasis(code) : signs.has(code)
    if (isSign) return
    this.closed = undefined
    this.findHold()
  }

  private inLine(code: number, line: Line): void {
    const { closedAt } = line
    const { pair } = line.as
    if (!signs.has(code) && code !== openBracket) {
      // A closing mark in the middle of a word is an apostrophe.
      const isBehind = closedAt >= 0 && this.at > closedAt + 1
      if (isBehind || (line.isOver && line.hasText)) {
        this.line = undefined
        this.findHold()
      }
      line.hasText = true
      line.isOver = false
      line.closedAt = -1
    } else if (pair && code === pair[1] && line.nested === 0) line.closedAt = this.at
    else if (pair && code === pair[1]) line.nested--
    else if (pair && code === pair[0]) line.nested++
  }

  private findHold(): void {
    this.hold = Math.min(this.open[0]?.hold ?? Infinity, this.line?.hold ?? Infinity, this.closed?.hold ?? Infinity)
  }

  /** All that is held is text, because it is too long for a note. */
  private release(): void {
    this.open.length = 0
    this.closed = this.line = undefined
    this.hold = Infinity
    this.ink = this.at
  }
}

function isEmphasis(code: number): boolean {
  return code === 0x2a || code === 0x5f
}
