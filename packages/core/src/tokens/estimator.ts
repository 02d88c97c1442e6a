import type { TokenCounter } from './tokens.ts'

/**
 * How many tokens does a text have, if the model's vocabulary is not known? Estimates on the high side: close to the
 * largest count of o200k, cl100k, llama2, llama3, qwen3 and gemma2, so it is above most of them. It is much above for
 * scripts that only the newest vocabularies know; `calibrated` corrects that. One pass, constant memory. A prefix never
 * counts more than the whole, and count(a + '\n' + b) <= count(a) + count(b) + 1.
 *
 * @example
 * estimator.count('The harbour was quiet.') // 7
 */
export const estimator: TokenCounter = {
  name: 'estimate@1',
  overhead: { message: 5, prompt: 5 }, // what the llama3, qwen and gemma templates need at most
  count: (text) => (text.length === 0 ? 0 : Math.max(1, Math.ceil(estimate(text) / 100))),
}

/** What was before the current unit. A script is its index plus `scriptBase`. */
const lineStart = 0
const word = 1
const digit = 2
const space = 3
const sign = 4
const control = 5
const astral = 6
const scriptBase = 8

interface Scan {
  readonly text: string
  position: number
  /** In hundredths of a token, so that sums are exact in any order. */
  total: number
  credit: number
  before: number
  beforeUnit: number
  /** Changes between capitals, small letters and digits in the current run of them. An id or base64 has many. */
  changes: number
}

function estimate(text: string): number {
  const scan: Scan = { text, position: 0, total: 0, credit: 0, before: lineStart, beforeUnit: 0, changes: 0 }
  while (scan.position < text.length) {
    const unit = text.charCodeAt(scan.position)
    if (isLetter(unit)) addWord(scan, unit)
    else if (unit === 0x20) addSpaces(scan)
    else if (isDigit(unit)) addDigits(scan)
    else if (unit < 0x80) addSign(scan, unit)
    else if (unit >= 0xd800 && unit < 0xe000) addSurrogate(scan, unit)
    else addScript(scan, unit)
  }
  return scan.total
}

/** A word is two or more capitals, or small letters after at most one capital. */
function addWord(scan: Scan, unit: number): void {
  const { text, position: start } = scan
  let end = start
  while (isCapital(text.charCodeAt(end))) end++ // NaN past the end is not a capital
  const capitals = end - start
  let key = capitals === 1 ? letterKey(0, unit) : 0
  let marks = 0
  if (capitals < 2) {
    for (; end < text.length; end++) {
      const letter = text.charCodeAt(end)
      if (isSmall(letter)) key = letterKey(key, letter)
      else if (isMarked(letter)) marks += letter < 0x100 ? markCost : rareMarkCost
      else if (letter >= 0x1e00 && letter < 0x1f00) marks += 2 * rareMarkCost
      else break
    }
  }
  noteChange(scan)
  const wordClass = capitals > 1 ? 'capital' : classOf(scan)
  // At least what the first capital alone would cost here, because a prefix must not count more.
  const least = capitals > 1 ? costOf(classOf(scan), 1) : 0
  const cost = Math.max(least, costOf(wordClass, end - start))
  scan.total += marks + (wordClass === 'foreign' ? useCredit(scan, cost, costOf('plain', end - start)) : cost)
  if (wordClass === 'foreign' && marks === 0 && end - start <= longestCommonWord) {
    scan.credit = Math.min(mostCredit, scan.credit + creditOf(key))
  }
  move(scan, end, word, 0)
}

function classOf(scan: Scan): WordClass {
  if (scan.before === digit || scan.changes > 1) return 'dense'
  if (scan.before === word || (scan.before === sign && opensIdentifier[scan.beforeUnit] === 1)) return 'plain'
  return 'foreign'
}

function useCredit(scan: Scan, foreign: number, plain: number): number {
  const used = Math.min(scan.credit, foreign - plain)
  scan.credit -= used
  return foreign - used
}

/** Half of the vocabularies use one token per digit, and none joins a space to a digit. */
function addDigits(scan: Scan): void {
  let end = scan.position + 1
  while (isDigit(scan.text.charCodeAt(end))) end++
  noteChange(scan)
  scan.total += (end - scan.position) * 100 + (scan.before === space ? 100 : 0)
  move(scan, end, digit, 0)
}

/** One space belongs to the word after it. */
function addSpaces(scan: Scan): void {
  let end = scan.position + 1
  while (scan.text.charCodeAt(end) === 0x20) end++
  if (end - scan.position > 1) scan.total += 65 + (end - scan.position) * 4
  move(scan, end, space, 0)
}

function addSign(scan: Scan, unit: number): void {
  const isControl = unit < 0x20 || unit === 0x7f
  scan.total += isControl || scan.before !== sign ? 100 : scan.beforeUnit === unit ? 15 : 52
  move(scan, scan.position + 1, unit === 0x0a ? lineStart : isControl ? control : sign, unit)
}

/**
 * Emoji and everything else above U+FFFF have four bytes. Half a surrogate pair reaches a model as U+FFFD: three bytes.
 */
function addSurrogate(scan: Scan, unit: number): void {
  const isPair = unit < 0xdc00 && (scan.text.charCodeAt(scan.position + 1) & 0xfc00) === 0xdc00
  scan.total += isPair ? 400 : 300
  move(scan, scan.position + (isPair ? 2 : 1), astral, 0)
}

function addScript(scan: Scan, unit: number): void {
  const index = scriptOf(unit)
  const script = scripts[index]!
  const before = scan.before - scriptBase
  if (before === index) scan.total += unit === scan.beforeUnit ? script.repeat : script.next
  else scan.total += before < 0 || areNeighbours(scripts[before]!, script) ? script.first : worstUnit
  move(scan, scan.position + 1, scriptBase + index, unit)
}

function noteChange(scan: Scan): void {
  scan.changes = scan.before === word || scan.before === digit ? scan.changes + 1 : 0
}

function move(scan: Scan, position: number, before: number, beforeUnit: number): void {
  scan.position = position
  scan.before = before
  scan.beforeUnit = beforeUnit
}

/** Signs that come before names in code, JSON, paths and URLs. Such names are mostly English. */
const opensIdentifier: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  '"._<>{}=/:@$[&?#`'.includes(String.fromCharCode(unit)) ? 1 : 0,
)

/**
 * What a run of Latin letters costs, in hundredths of a token, by its length. `plain`: an English word or an
 * identifier. `foreign`: a word without evidence for a known language. `dense`: a piece of an id or of base64.
 * `capital`: a run of capitals. The numbers are upper envelopes of six tokenizers, as in `scripts`.
 */
type WordClass = 'plain' | 'foreign' | 'dense' | 'capital'

const longestWord = 24

const wordCosts: Readonly<Record<WordClass, Uint16Array>> = {
  plain: costs([1, 100], [5, 100], [7, 120], [9, 130], [12, 140], [16, 400], [24, 900]),
  foreign: costs([1, 100], [2, 180], [4, 190], [6, 260], [8, 330], [10, 460], [13, 520], [16, 620], [24, 1180]),
  dense: costs([1, 165], [2, 180], [3, 240], [4, 265], [6, 300], [9, 540], [12, 740], [24, 1260]),
  capital: costs([1, 100], [2, 110], [3, 125], [4, 145], [6, 200], [9, 480], [24, 1400]),
}

/** The cost of each letter after `longestWord`: nothing that long is a word. */
const letterCosts: Readonly<Record<WordClass, number>> = { plain: 60, foreign: 60, dense: 60, capital: 75 }

function costOf(wordClass: WordClass, length: number): number {
  const table = wordCosts[wordClass]
  return length <= longestWord ? table[length]! : table[longestWord]! + (length - longestWord) * letterCosts[wordClass]
}

/** The extra cost of a letter with a mark: Latin-1 (é), and beyond it (ş, ữ). */
const markCost = 60
const rareMarkCost = 130

/**
 * A common word is evidence that the next words are of a language that vocabularies know well. It earns credit, in
 * hundredths of a token, which the next words use up: while credit lasts, `foreign` cost goes down to `plain` cost.
 * Credit only lowers what comes later, so a prefix never counts more than the whole.
 */
const mostCredit = 800

const englishCredit = 450
const europeanCredit = 200

const english =
  'the of and to is its for are you but not by has had that with this from have they she his her we be ' +
  'were what when which would will there your than can if their been only should other into about ' +
  'const let return import export true false null string number else self def new class'
const european =
  'el la los las de del que en un una por con para su se no al lo es como y o os as e do da dos das em um uma na ' +
  'der die und ist nicht ein eine den dem des zu von mit auf im sich auch werden was ' +
  'le les et dans pour qui sur au aux ne pas ou est ce il elle une di che per della gli sono ' +
  'het een van dat niet voor op te zijn hun'

const credits: ReadonlyMap<number, number> = creditTable()

/** The longest word that `letterKey` can tell apart: six letters of five bits each. */
const longestCommonWord = 6

/** Appends a letter of either case to the key of a word. The key of the empty word is 0. */
function letterKey(key: number, unit: number): number {
  return (key << 5) | (unit & 31)
}

function creditOf(key: number): number {
  return credits.get(key) ?? 0
}

/**
 * Makes a table by length from a few points, with straight lines between them. It never falls, so a prefix never costs
 * more.
 */
function costs(...points: readonly (readonly [length: number, cost: number])[]): Uint16Array {
  const table = new Uint16Array(longestWord + 1)
  let [left, low] = [0, 0]
  for (const [right, high] of points) {
    for (let length = left + 1; length <= right; length++) {
      table[length] = Math.round(low + ((high - low) * (length - left)) / (right - left))
    }
    left = right
    low = high
  }
  return table
}

function creditTable(): Map<number, number> {
  const table = new Map<number, number>()
  for (const word of european.split(' ')) table.set(keyOf(word), europeanCredit)
  for (const word of english.split(' ')) table.set(keyOf(word), englishCredit)
  return table
}

function keyOf(word: string): number {
  let key = 0
  for (let index = 0; index < word.length; index++) key = letterKey(key, word.charCodeAt(index))
  return key
}

const isSmall = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a
const isCapital = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
const isMarked = (unit: number): boolean => unit >= 0xc0 && unit < 0x250 && unit !== 0xd7 && unit !== 0xf7
const isLetter = (unit: number): boolean => isSmall(unit) || isCapital(unit) || isMarked(unit)

/**
 * What does a code unit outside of ASCII cost? In hundredths of a token: after a unit of another script, after one of
 * the same script, and when it repeats the unit before it. The numbers are upper envelopes of o200k, cl100k, llama2,
 * llama3, qwen3 and gemma2, measured on running text.
 */
interface Script {
  readonly first: number
  readonly next: number
  readonly repeat: number
  /**
   * Letters of two families next to each other are noise and cost the most. Signs have no family and may be next to
   * every script.
   */
  readonly family?: string
}

/** The script of a UTF-16 code unit from U+0080 on, except surrogates. */
function scriptOf(unit: number): number {
  return blocks[unit >> 4]!
}

/** True if units of these two scripts follow each other in ordinary text. */
function areNeighbours(one: Script, other: Script): boolean {
  return one.family === undefined || other.family === undefined || one.family === other.family
}

const letters = (family: string, first: number, next: number): Script => ({ family, first, next, repeat: next })
const signs = (first: number, next: number, repeat: number): Script => ({ first, next, repeat })

/** A unit that no vocabulary has is spelled in UTF-8 bytes: three of them up to U+FFFF. */
const worstUnit = 300

const scripts: readonly Script[] = [
  letters('unknown', worstUnit, worstUnit),
  letters('Japanese', 210, 170), // Han
  letters('Japanese', 110, 100), // kana
  letters('Hangul', 250, 175),
  letters('Cyrillic', 100, 50),
  letters('Cyrillic', 220, 220), // beyond Russian
  letters('Greek', 120, 120),
  letters('Hebrew', 125, 125),
  letters('Arabic', 165, 120),
  letters('Devanagari', 165, 140),
  letters('Bengali, Tamil, Malayalam', 180, 175),
  letters('Sinhala, Myanmar, Georgian, Khmer, Armenian', 280, 260),
  letters('Gurmukhi, Gujarati, Telugu, Kannada', 300, 295),
  letters('Thai', 130, 110),
  letters('Latin', 260, 260), // with two marks, as in Vietnamese
  signs(150, 120, 120), // phonetic letters and combining marks
  signs(150, 140, 100), // C1 controls
  signs(150, 115, 50), // Latin-1 signs
  signs(140, 110, 80), // general punctuation
  signs(160, 120, 70), // currency, letterlike, arrows, mathematics
  signs(100, 60, 30), // boxes, blocks, shapes
  signs(250, 250, 250), // dingbats
  signs(110, 105, 100), // CJK punctuation and full-width forms
]

/** From, to (inclusive), index into `scripts`. All bounds are multiples of 16. */
const ranges: readonly (readonly [from: number, to: number, script: number])[] = [
  [0x80, 0x9f, 16],
  [0xa0, 0xff, 17],
  [0x250, 0x36f, 15],
  [0x370, 0x3ff, 6],
  [0x400, 0x44f, 4],
  [0x450, 0x52f, 5],
  [0x530, 0x58f, 11],
  [0x590, 0x5ff, 7],
  [0x600, 0x6ff, 8],
  [0x900, 0x97f, 9],
  [0x980, 0x9ff, 10],
  [0xa00, 0xaff, 12],
  [0xb80, 0xbff, 10],
  [0xc00, 0xcff, 12],
  [0xd00, 0xd7f, 10],
  [0xd80, 0xdff, 11],
  [0xe00, 0xe7f, 13],
  [0x1000, 0x10ff, 11],
  [0x1780, 0x17ff, 11],
  [0x1e00, 0x1eff, 14],
  [0x2000, 0x206f, 18],
  [0x2070, 0x24ff, 19],
  [0x2500, 0x25ff, 20],
  [0x2600, 0x27bf, 21],
  [0x3000, 0x303f, 22],
  [0x3040, 0x30ff, 2],
  [0x4e00, 0x9fff, 1],
  [0xac00, 0xd7af, 3],
  [0xff00, 0xffef, 22],
]

const blocks: Uint8Array = blockTable()

function blockTable(): Uint8Array {
  const table = new Uint8Array(0x1000)
  for (const [from, to, script] of ranges) table.fill(script, from >> 4, (to >> 4) + 1)
  return table
}
