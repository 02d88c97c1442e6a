/**
 * What a run of Latin letters costs, in hundredths of a token, by its length. `plain` is a word of
 * English or an identifier, `foreign` a word that nothing speaks for, `dense` a piece of an id or of
 * base64, `capital` a run of capitals. Upper envelopes of six tokenizers, as in script.ts.
 */
export type WordClass = 'plain' | 'foreign' | 'dense' | 'capital'

const longestWord = 24

const wordCosts: Readonly<Record<WordClass, Uint16Array>> = {
  plain: costs([1, 100], [5, 100], [7, 120], [9, 130], [12, 140], [16, 400], [24, 900]),
  foreign: costs([1, 100], [2, 180], [4, 190], [6, 260], [8, 330], [10, 460], [13, 520], [16, 620], [24, 1180]),
  dense: costs([1, 165], [2, 180], [3, 240], [4, 265], [6, 300], [9, 540], [12, 740], [24, 1260]),
  capital: costs([1, 100], [2, 110], [3, 125], [4, 145], [6, 200], [9, 480], [24, 1400]),
}

/** Each letter past `longestWord`: nothing that long is a word. */
const letterCosts: Readonly<Record<WordClass, number>> = { plain: 60, foreign: 60, dense: 60, capital: 75 }

export function costOf(wordClass: WordClass, length: number): number {
  const table = wordCosts[wordClass]
  return length <= longestWord ? table[length]! : table[longestWord]! + (length - longestWord) * letterCosts[wordClass]
}

/** A letter with a mark, beside its length: Latin-1 (é), and beyond it (ş, ữ). */
export const markCost = 60
export const rareMarkCost = 130

/**
 * A common word is evidence that the words after it are of a language the vocabularies know well.
 * It earns credit, in hundredths of a token, which the following words use up: `foreign` cost goes
 * down to `plain` cost while credit lasts. Credit only ever lowers what comes later, which keeps
 * the count of a prefix below the count of the whole.
 */
export const mostCredit = 800

const englishCredit = 450
const europeanCredit = 200

const english =
  'the of and to is its for are you but not by has had that with this from have they she his her we be were what when which would will there your than can if their been only should other into about ' +
  'const let return import export true false null string number else self def new class'
const european =
  'el la los las de del que en un una por con para su se no al lo es como y o os as e do da dos das em um uma na ' +
  'der die und ist nicht ein eine den dem des zu von mit auf im sich auch werden was ' +
  'le les et dans pour qui sur au aux ne pas ou est ce il elle une di che per della gli sono het een van dat niet voor op te zijn hun'

const credits: ReadonlyMap<number, number> = creditTable()

/** The longest word that `letterKey` tells apart: six times five bits. */
export const longestCommonWord = 6

/** Appends a letter of either case to the key of a word; the key of the empty word is 0. */
export function letterKey(key: number, unit: number): number {
  return (key << 5) | (unit & 31)
}

export function creditOf(key: number): number {
  return credits.get(key) ?? 0
}

/** A table by length from a few points of it, straight lines between. Never falls, so a prefix never costs more. */
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

export const isSmall = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a
export const isCapital = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
export const isMarked = (unit: number): boolean => unit >= 0xc0 && unit < 0x250 && unit !== 0xd7 && unit !== 0xf7
export const isLetter = (unit: number): boolean => isSmall(unit) || isCapital(unit) || isMarked(unit)
