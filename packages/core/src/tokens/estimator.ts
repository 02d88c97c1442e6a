import { areNeighbours, scriptOf, scripts, worstUnit } from './script.ts'
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
 * `capital`: a run of capitals. The numbers are upper envelopes of six tokenizers, as in script.ts.
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
