/**
 * How does a note to self begin? The exact form is `[NOTE TO SELF:`. Small models also write it in any case, in bold, in
 * a quotation, as a list item, in a code block or without the bracket: all that comes before the text of the note is its
 * lead. Each lead is bounded, so a stream has to look ahead only a little.
 */
export interface Lead {
  /** The index where the text of the note begins. */
  readonly from: number
  /** The index of the square bracket that the note has to close, or -1. */
  readonly bracket: number
  /** True if the note is an item of a list: the next item is not part of it. */
  readonly isItem: boolean
  /** True if the note is on a line that begins with `>`. */
  readonly isCited: boolean
  /** The quotation mark or parenthesis around the note, and the one that closes it. */
  readonly pair: readonly [opens: number, closes: number] | undefined
}

/** The most characters of a lead. */
export const longestLead = 128

/**
 * The lead at `index`, or undefined if there is none, or `wait` if more of the text is needed to tell. `place`: at the
 * beginning of a line everything is a lead; elsewhere only what begins with a square bracket, in bold or not. `isWhole`:
 * no more text follows.
 */
export function leadAt(
  text: string,
  index: number,
  place: 'line' | 'inside',
  isWhole: boolean,
): Lead | 'wait' | undefined {
  if (!begins(text.charCodeAt(index))) return undefined
  const reader = new LeadReader(text, index)
  const lead = place === 'line' ? reader.line() : reader.inside()
  return reader.isShort && !isWhole ? 'wait' : lead
}

/** False for most characters: nothing that begins with one is a lead. */
function begins(code: number): boolean {
  return (code | 0x20) === letterN || wrappers.has(code)
}

/**
 * Does the line at `index` continue a note that began on an earlier line? True for lines that are set in, for more lines
 * of a quotation and for lists, except if the note is an item itself.
 */
export function continues(
  text: string,
  index: number,
  { isItem, isCited }: Pick<Lead, 'isItem' | 'isCited'>,
  indent: number,
  isWhole: boolean,
): boolean | 'wait' {
  if (indent >= 2 || (isCited && text.charCodeAt(index) === greater)) return true
  if (isItem) return false
  const reader = new LeadReader(text, index)
  const isListed = reader.listMark()
  return reader.isShort && !isWhole ? 'wait' : isListed
}

/** The text of a note without what closes its lead, such as the second `**` of `**Note to self: x**`. */
export function noteText(lead: string, body: string): string {
  const closing = closersOf(lead)
  let end = body.trimEnd().length
  while (end > 0 && isClosed(body, end, closing)) end--
  const text = body.slice(0, end)
  return (lead.includes('>') ? text.replaceAll(/\n[ \t]{0,3}>[ \t]?/g, '\n') : text).trim()
}

/** True if the last character closes the lead, or follows one that does, as in `**Note to self: x**.` */
function isClosed(body: string, end: number, closing: string): boolean {
  const last = body[end - 1] as string
  return closing.includes(last) || (' \t\n\r.!,'.includes(last) && closing.includes(body[end - 2] ?? ' '))
}

/** What closes the marks of a lead that are still open when the text of the note begins. */
function closersOf(lead: string): string {
  const words = Math.max(lead.search(/note/i), 0)
  const marks = lead.slice(0, words)
  const after = lead.slice(words)
  return marks
    .split('')
    .map((mark) => (emphasis.includes(mark) ? mark : (pairs.get(mark.charCodeAt(0)) ?? '')))
    .filter((closing) => closing !== '' && !after.includes(closing))
    .join('')
}

/** Reads a lead from left to right. `isShort` tells whether it had to look behind the end of the text. */
class LeadReader {
  isShort = false
  private readonly text: string
  private readonly start: number
  private at: number

  constructor(text: string, at: number) {
    this.text = text
    this.start = at
    this.at = at
  }

  line(): Lead | undefined {
    this.fence()
    const marks = this.at
    this.skip(wrappers, 24)
    return this.lead(marks)
  }

  inside(): Lead | undefined {
    this.skip(emphasisMarks, 3)
    if (this.next() !== openBracket) return undefined
    this.at++
    this.skip(gaps, 3)
    return this.lead(this.start)
  }

  listMark(): boolean {
    const isNumber = this.skip(digits, 3) > 0
    const mark = isNumber ? dots : bullets
    return this.skip(mark, 1) === 1 && blanks.has(this.next())
  }

  /** A line that opens a code block. */
  private fence(): void {
    const sign = this.next()
    if (sign !== backtick && sign !== tilde) return
    const length = this.skip(new Set([sign]), 8)
    this.skip(letters, 16)
    this.skip(blanks, 4)
    if (this.next() === carriageReturn) this.at++
    if (length < 3 || this.next() !== lineFeed) this.at = this.start
    else {
      this.at++
      this.skip(blanks, 8)
    }
  }

  private words(): boolean {
    if (!this.word('note')) return false
    this.word('s')
    if (this.skip(gaps, 3) === 0 || !this.word('to') || this.skip(gaps, 3) === 0) return false
    this.word('my')
    return this.word('self')
  }

  private word(word: string): boolean {
    const start = this.at
    for (let index = 0; index < word.length; index++, this.at++)
      if ((this.next() | 0x20) !== word.charCodeAt(index)) {
        this.at = start
        return false
      }
    return true
  }

  /** The words, what closes the marks before them, and a colon, a dash, a closed bracket or the end of a heading. */
  private lead(start: number): Lead | undefined {
    const marks = this.text.slice(start, this.at)
    if (!this.words()) return undefined
    const end = this.at
    this.skip(closers, 8)
    const code = this.next()
    if (colons.has(code)) this.at++
    else if (code === hyphen) {
      this.skip(arrows, 3)
      if (!blanks.has(this.next())) return undefined
    } else if (code === lineFeed || code === carriageReturn) {
      if (!/[#*_[("“]/.test(marks)) return undefined
    } else if (!/[[(]/.test(marks) || !/[\])]/.test(this.text.slice(end, this.at))) return undefined
    if (marks === '') return { from: this.at, bracket: -1, isItem: false, isCited: false, pair: undefined }
    if (/[*_]/.test(marks)) this.skip(emphasisMarks, 3)
    const bracket = marks.lastIndexOf('[')
    const closed = this.text.slice(end, this.at)
    return {
      from: this.at,
      bracket: bracket < 0 || closed.includes(']') ? -1 : start + bracket,
      isItem: /^[-*+•][ \t]/.test(marks),
      isCited: marks.startsWith('>'),
      pair: pairIn(marks, closed),
    }
  }

  private skip(set: ReadonlySet<number>, most: number): number {
    const start = this.at
    while (this.at - start < most && set.has(this.next())) this.at++
    return this.at - start
  }

  private next(): number {
    if (this.at < this.text.length) return this.text.charCodeAt(this.at)
    this.isShort = true
    return -1
  }
}

/** The innermost pair that the marks open and that is not closed yet. */
function pairIn(marks: string, closed: string): Lead['pair'] {
  const opens = marks.split('').findLast((mark) => enclosing.includes(mark))
  const closes = opens && pairs.get(opens.charCodeAt(0))
  return opens && closes && !closed.includes(closes) ? [opens.charCodeAt(0), closes.charCodeAt(0)] : undefined
}

const codes = (characters: string): ReadonlySet<number> =>
  new Set(Array.from({ length: characters.length }, (_, index) => characters.charCodeAt(index)))

const lineFeed = 0x0a
const carriageReturn = 0x0d
const hyphen = 0x2d
const greater = 0x3e
const openBracket = 0x5b
const letterN = 0x6e
const backtick = 0x60
const tilde = 0x7e

const emphasis = '*_`~'
const enclosing = '"\'“‘„‚«‹「『(`'
const blanks: ReadonlySet<number> = codes(' \t\u00a0')
const gaps: ReadonlySet<number> = codes(' \t\u00a0-_*')
const digits: ReadonlySet<number> = codes('0123456789')
const dots: ReadonlySet<number> = codes('.)')
const bullets: ReadonlySet<number> = codes('-*+•')
const colons: ReadonlySet<number> = codes(':：–—')
const arrows: ReadonlySet<number> = codes('->')
const emphasisMarks: ReadonlySet<number> = codes('*_')
const letters: ReadonlySet<number> = codes('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+')
const closers: ReadonlySet<number> = codes(' \t\u00a0*_`~)]')
const pairs: ReadonlyMap<number, string> = new Map(
  ['""', "''", '“”', '‘’', '„“', '‚‘', '«»', '‹›', '「」', '『』', '()', '``', '{}', '<>'].map(([opens, closes]) => [
    opens!.charCodeAt(0),
    closes!,
  ]),
)
/** Quotation marks, brackets, marks of lists, headings and emphasis; the signs for a memo, a pin and the like. */
const wrappers: ReadonlySet<number> = codes(' \t\u00a0>-*+•–—_`~"\'“”„‘’‚«»‹›「」『』([<#📝📌🗒💭🧠✏✍️')
/** What may follow a note without making it text: all that may come before it, and the end of a sentence. */
export const signs: ReadonlySet<number> = new Set(
  [...wrappers, ...codes(')]}>.!,;:=')].filter((code) => code !== openBracket),
)
