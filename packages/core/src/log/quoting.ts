interface Fence {
  readonly sign: number
  readonly length: number
  readonly indent: number
}

/**
 * Which parts of a text are only quoted? Reads as much of Markdown as that takes: fences of backticks or tildes, also
 * after a list mark, and code spans within a line. It is a class because its methods are called for every character.
 */
export class Quoting {
  private lineStart = 0
  /** What the line has so far: nothing, perhaps a list mark, or text. */
  private lead: 'blank' | 'list' | 'text' = 'blank'
  /** True if the line begins with `>`. */
  private cited = false
  /** The run of backticks or tildes that is being read. */
  private sign: number = none
  private runStart = 0
  /** The length of the run that opened a code span. */
  private span = 0
  private fence: Fence | undefined = undefined
  /** The fence that this line opens, unless the rest of the line shows that it does not. */
  private opening: Fence | undefined = undefined
  /** True if this line closes the open fence, unless the rest of the line shows that it does not. */
  private closing = false

  /**
   * Takes the next character that matters: its code, whether it is not white space, its place. Returns which characters
   * matter next: 2 all of them, 1 all but blanks (as at the start), 0 only backticks, tildes and line breaks.
   */
  pass(code: number, isInk: boolean, at: number): 0 | 1 | 2 {
    if (code === this.sign) return 2
    if (this.sign !== none) this.endRun(at)
    if (code === lineFeed || code === carriageReturn) this.endLine(at)
    else if (code === backtick || code === tilde) this.startRun(code, at)
    else if (isInk && (this.closing || this.lead !== 'text')) this.ink(code)
    return this.sign !== none ? 2 : this.closing || this.lead !== 'text' ? 1 : 0
  }

  /**
   * True if the last character is quoted: it is in an open code block or code span, on a line that begins with `>`, or
   * directly after a quotation mark or backtick. `before`: the code of the character before it.
   */
  isQuoted(before: number): boolean {
    return (
      this.fence !== undefined || this.opening !== undefined || this.span > 0 || this.cited || isQuotationMark(before)
    )
  }

  /** True if everything is quoted up to the next character that is not white space, including that one. */
  isFenced(): boolean {
    return this.fence !== undefined && !this.closing
  }

  private ink(code: number): void {
    this.closing = false
    if (this.lead === 'blank') this.cited = code === greater
    if (this.lead !== 'text') this.lead = isListMark(code) ? 'list' : 'text'
  }

  private startRun(code: number, at: number): void {
    this.sign = code
    this.runStart = at
  }

  private endRun(at: number): void {
    const { sign, lead, fence, span } = this
    const length = at - this.runStart
    const indent = this.runStart - this.lineStart
    if (fence)
      this.closing = lead === 'blank' && sign === fence.sign && length >= fence.length && indent <= fence.indent + 3
    else if (lead !== 'text' && length >= 3) this.opening = { sign, length, indent }
    // A line that opens a fence of backticks has no other backticks.
    else if (sign === backtick && this.opening?.sign === backtick) this.opening = undefined
    if (sign === backtick) this.span = span === 0 ? length : span === length ? 0 : span
    this.lead = 'text'
    this.sign = none
  }

  private endLine(at: number): void {
    if (!this.fence) this.fence = this.opening
    else if (this.closing) this.fence = undefined
    this.opening = undefined
    this.closing = false
    this.span = 0
    this.lead = 'blank'
    this.lineStart = at + 1
  }
}

function isQuotationMark(code: number): boolean {
  return code < 0x80 ? code === backtick || code === double || code === single : quotationMarks.has(code)
}

function isListMark(code: number): boolean {
  return (code >= zero && code <= nine) || listMarks.has(code)
}

const codes = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)))

const none = -1
const lineFeed = 0x0a
const carriageReturn = 0x0d
const double = 0x22
const single = 0x27
const greater = 0x3e
const backtick = 0x60
const tilde = 0x7e
const zero = 0x30
const nine = 0x39
const listMarks: ReadonlySet<number> = codes('-*+.)')
const quotationMarks: ReadonlySet<number> = codes('«»‹›‘’‚‛“”„‟「」『』＂＇')
