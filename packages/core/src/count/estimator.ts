import { areNeighbours, scriptOf, scripts, worstUnit } from './script.ts'
import type { TokenCounter } from './tokens.ts'
import { costOf, creditOf, isCapital, isDigit, isLetter, isMarked, isSmall, letterKey, longestCommonWord, markCost, mostCredit, rareMarkCost, type WordClass } from './word.ts'

/**
 * Counts without a vocabulary, on the safe side: close to the largest count that o200k, cl100k,
 * llama2, llama3, qwen3 and gemma2 give, so it is above most of them (much above on scripts that
 * only the newest vocabularies know; `calibrated` takes that back). One pass, constant memory.
 * A prefix never counts more than the whole; count(a + '\n' + b) <= count(a) + count(b) + 1.
 *
 * @example
 * estimator.count('The harbour was quiet.') // 7
 */
export const estimator: TokenCounter = {
  name: 'estimate@1',
  overhead: { message: 5, prompt: 5 }, // what the llama3, qwen and gemma templates need at most
  count: (text) => (text.length === 0 ? 0 : Math.max(1, Math.ceil(estimate(text) / 100))),
}

/** What stood before the current unit; a script is its index plus `scriptBase`. */
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
  /** In hundredths of a token, so that sums are exact and no order of additions matters. */
  total: number
  credit: number
  before: number
  beforeUnit: number
  /** Changes between capitals, small letters and digits since the run of them began: an id or base64 has many. */
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

/** A word is capitals (two or more), or small letters after at most one capital. */
function addWord(scan: Scan, unit: number): void {
  const { text, position: start } = scan
  let end = start
  while (isCapital(text.charCodeAt(end))) end++ // NaN past the end is no capital
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
  // At least what the first capital alone would cost here: a prefix must not count more.
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

/** Half of the vocabularies have a token per digit, and none joins a space to a digit. */
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

/** Emoji and all else past U+FFFF: four bytes. Half a pair reaches a model as U+FFFD: three. */
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

/** Signs before names in code, JSON, paths and URLs: names are English more often than not. */
const opensIdentifier: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  '"._<>{}=/:@$[&?#`'.includes(String.fromCharCode(unit)) ? 1 : 0,
)
