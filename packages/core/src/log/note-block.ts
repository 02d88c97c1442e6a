/** How a note to self begins in a model's text. It ends with the bracket that balances the first. */
export const noteMarker = '[NOTE TO SELF:'

/** Complete note blocks with only white space after them. */
export interface TrailingBlocks {
  /** The place where the white space before the first block begins. If nothing else follows, the text ends there. */
  readonly hold: number
  /** The text of the last block that is not empty. */
  readonly note: { readonly from: number; readonly to: number } | undefined
}

/** A block that has begun, and the blocks directly before it. */
interface Opening {
  /** The place where its text begins. */
  readonly from: number
  readonly hold: number
  /** How many brackets were open before it. */
  readonly depth: number
  readonly before: TrailingBlocks | undefined
}

/**
 * Where is a note at the end of a text? Reads each character once. It is a class because its methods are called for
 * every character. All places count from the start of the text.
 */
export class BlockParser {
  private readonly quoting: Quoting = new Quoting()
  /** Which characters matter to quoting. */
  private care: 0 | 1 | 2 = 1
  /** Blocks that have begun, outermost first. */
  private readonly open: Opening[] = []
  private blocks: TrailingBlocks | undefined = undefined
  /** Brackets opened so far, minus those closed. */
  private depth = 0
  private at = 0
  /** The end of the last character that is not white space. */
  private ink = 0
  /** The code of the last character. */
  private last = -1

  /**
   * Reads the next piece of the text and returns how much of it was read. It is less than all if the piece ends with
   * what may be the beginning of a marker. Pass that rest again with the next piece, or with `end` if there is no next
   * piece.
   */
  read(text: string, end?: 'end'): number {
    const start = this.at
    let attention = this.attention()
    let index = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      const opens = code === openBracket && isMarker(text, index, end)
      const closes = code === closeBracket && this.closesBlock()
      const weight = weightOf(code)
      const isInk = weight > blank && weight < lineBreak
      if (opens || closes || weight + attention >= sign) {
        this.at = start + index
        if (this.care > 0 || weight >= sign) this.care = this.quoting.pass(code, isInk, this.at)
        if (opens && this.isFree(index > 0 ? text.charCodeAt(index - 1) : this.last)) {
          if (text.length - index < noteMarker.length) break
          index += noteMarker.length - 1
          this.openBlock(start + index + 1)
        } else if (closes) this.closeBlock()
        else if (isInk) this.blocks = undefined
        attention = this.attention()
      }
      if (code === openBracket) this.depth++
      if (isInk) this.ink = start + index + 1
    }
    this.at = start + index
    if (index > 0) this.last = text.charCodeAt(index - 1)
    return index
  }

  /** Everything before this place is text, whatever follows. */
  settled(): number {
    return (this.open[0] ?? this.blocks)?.hold ?? (this.quoting.isFenced() ? this.at : this.ink)
  }

  /** The blocks at the end, if the text ends here. */
  trailing(): TrailingBlocks | undefined {
    return this.blocks
  }

  /**
   * Added to the weight of a character, it tells whether that character can change anything. After a block, everything
   * but blanks can.
   */
  private attention(): number {
    return this.care || (this.blocks ? 1 : 0)
  }

  /** Directly after a block nothing is quoted: a backtick inside the block has no effect outside of it. */
  private isFree(before: number): boolean {
    return this.blocks !== undefined || !this.quoting.isQuoted(before)
  }

  private openBlock(from: number): void {
    this.open.push({ from, hold: this.blocks?.hold ?? this.ink, depth: this.depth, before: this.blocks })
    this.blocks = undefined
  }

  private closesBlock(): boolean {
    this.depth--
    return this.open.at(-1)?.depth === this.depth
  }

  private closeBlock(): void {
    const { from, hold, before } = this.open.pop() as Opening
    this.blocks = { hold, note: this.ink > from ? { from, to: this.at } : before?.note }
  }
}

/** True if the marker is at `index`, or may turn out to be there when more of the text is known. */
function isMarker(text: string, index: number, end: 'end' | undefined): boolean {
  const rest = text.length - index
  if (rest > 1 && text.charCodeAt(index + 1) !== letterN) return false
  if (rest < noteMarker.length) return end === undefined && noteMarker.startsWith(text.slice(index))
  return text.startsWith(noteMarker, index)
}

function weightOf(code: number): number {
  if (code < 0x80) return weights[code] as number
  return code === 0xa0 || (code >= 0x1680 && (wideBlanks.has(code) || (code >= 0x2000 && code <= 0x200a)))
    ? blank
    : letter
}

/**
 * What a character can mean, by weight. Brackets outside of blocks count as letters. Blanks and line breaks are what
 * `trim` removes.
 */
const blank = 0
const letter = 1
const sign = 2
const lineBreak = 3

const letterN = 0x4e
const openBracket = 0x5b
const closeBracket = 0x5d
const wideBlanks: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
const weights: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if ('\n\r'.includes(character)) return lineBreak
  return '`~'.includes(character) ? sign : character.trim() === '' ? blank : letter
})

const none = -1

interface Fence {
  readonly sign: number
  readonly length: number
  readonly indent: number
}

/**
 * Which parts of a text are only quoted? Reads as much of Markdown as that takes: fences of backticks or tildes, also
 * after a list mark, and code spans within a line. It is a class because its methods are called for every character.
 */
class Quoting {
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
