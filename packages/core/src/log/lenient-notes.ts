import {
  closeBracket,
  isBlank,
  isBreak,
  NoteFinder,
  openBracket,
  type NotePosition,
  type NoteRun,
  type Opening,
} from './note-finder.ts'
import { continues, leadAt, longestLead, signs, type Lead } from './note-lead.ts'

/** A note in square brackets that has begun, anywhere in a line. */
interface LenientOpening extends Opening {
  /** True if it did not begin a line: only emphasis may follow it. */
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
  readonly opening: LenientOpening | undefined
  /** True as soon as it has a word. */
  hasText: boolean
  /** True if the current line is not known to continue it: a word on it shows that it does not. */
  isOver: boolean
  /** Pairs that were opened inside, and the place where its own pair closed, or -1. */
  nested: number
  closedAt: number
}

/** Finds the notes at the end of a text, in all the forms in which small models write them. */
export class LenientFinder extends NoteFinder<LenientOpening> {
  private line: Line | undefined = undefined
  private lineStart = 0
  /** Whether the closed note did not begin a line. */
  private isInside = false

  constructor() {
    super(longestLead)
  }

  /** None: the lenient forms are notes only at the end. */
  found(): readonly NoteRun[] {
    return []
  }

  override trailing(): NoteRun | undefined {
    const { line, at: to } = this
    return line ? { hold: line.hold, to, notes: this.notesOf(line) } : super.trailing()
  }

  protected begin(text: string, index: number, code: number, isWhole: boolean): number | 'wait' {
    const lead = this.leadHere(text, index, code, isWhole)
    if (lead === undefined) return 0
    if (lead === 'wait') return 'wait'
    const { at, closed, line, isFresh } = this
    const before = line ? this.notesOf(line) : (closed?.notes ?? [])
    const hold = (line ?? closed)?.hold ?? this.textEnd()
    let depth = 0
    for (let each = index; each < lead.from; each++) {
      if (each === lead.bracket) depth = this.depth
      this.at = at + each - index
      this.skip(text.charCodeAt(each))
    }
    this.closed = undefined
    this.isFresh = false
    const from = at + lead.from - index
    let opening: LenientOpening | undefined
    if (lead.bracket >= 0) {
      opening = { hold, lead: at + lead.bracket - index, from, depth, isInside: !isFresh, notes: before }
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
    return lead.from - index
  }

  protected close(opening: LenientOpening): void {
    this.isInside = opening.isInside
    if (this.line?.opening === opening) this.line = undefined
  }

  protected follow(code: number): void {
    if (this.closed && !(this.isInside ? isEmphasis(code) : signs.has(code))) {
      this.closed = undefined
      this.findHold()
    }
    if (this.line) this.inLine(code, this.line)
  }

  protected isLineMark(): boolean {
    return false
  }

  protected endLine(): void {
    this.lineStart = this.at + 1
  }

  protected override findHold(): void {
    super.findHold()
    this.hold = Math.min(this.hold, this.line?.hold ?? Infinity)
  }

  protected override release(): void {
    super.release()
    this.line = undefined
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

  /** Takes a character of a lead. */
  private skip(code: number): void {
    if (code === openBracket) this.depth++
    else if (code === closeBracket) this.depth--
    const isInk = !isBlank(code) && !isBreak(code)
    this.quote(code, isInk)
    if (isInk) this.ink = this.at + 1
    this.last = code
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
}

function isEmphasis(code: number): boolean {
  return code === 0x2a || code === 0x5f
}
