/**
 * Splits a text into stems: the words by which recall compares texts, in order, with repeats. Words become lower case
 * without accents, are lightly stemmed and cut to five characters. Scripts written without spaces become pairs of
 * characters. Only the first 65,536 characters are read, so that one huge message cannot stall a turn.
 */
export function stems(text: string): string[] {
  const found: string[] = []
  eachRun(text, (source, start, end, kind) => addRun(found, source, start, end, kind))
  return found
}

/** The words of a text that have stems, in lower case, by stem: what recall looks for if the text is a question. */
export function wordsByStem(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  eachRun(text, (source, start, end, kind) => {
    const found: string[] = []
    addRun(found, source, start, end, kind)
    const word = source.slice(start, Math.min(end, start + longestIdentifier)).toLowerCase()
    for (const each of found) if (!words.has(each)) words.set(each, kind === 'word' ? word : each)
  })
  return words
}

/** Calls `visit` for each run of characters of one kind. */
function eachRun(text: string, visit: (source: string, start: number, end: number, kind: Kind) => void): void {
  const source = text.slice(0, scannedCharacters).normalize('NFKC').slice(0, scannedCharacters)
  let start = 0
  let kind: Kind = 'gap'
  for (let position = 0; position < source.length;) {
    const code = source.codePointAt(position) ?? 0
    const next = kindOf(code)
    if (next !== kind) {
      visit(source, start, position, kind)
      start = position
      kind = next
    }
    position += code > 0xffff ? 2 : 1
  }
  visit(source, start, source.length, kind)
}

export const scannedCharacters = 65_536
const longestIdentifier = 24
const stemLength = 5

type Kind = 'gap' | 'word' | 'unspaced'

function kindOf(code: number): Kind {
  if (code < 0x80) return isAsciiWord(code) ? 'word' : 'gap'
  if (!wordCharacter.test(String.fromCodePoint(code))) return 'gap'
  return unspacedRanges.some(([first, last]) => code >= first && code <= last) ? 'unspaced' : 'word'
}

const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** Thai and Lao, Myanmar, Khmer, ideographs and kana, Hangul, compatibility and supplementary ideographs. */
const unspacedRanges: readonly (readonly [first: number, last: number])[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3005, 0x9fff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
  [0x20000, 0x3ffff],
]

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
}

function addRun(found: string[], source: string, start: number, end: number, kind: Kind): void {
  if (kind === 'gap' || start === end) return
  if (kind === 'unspaced') return addPairs(found, source.slice(start, end))
  const word = fold(source.slice(start, Math.min(end, start + longestIdentifier)))
  if (word === '' || stopWords.has(word)) return
  found.push(stem(word))
}

function addPairs(found: string[], run: string): void {
  const characters = Array.from(run)
  if (characters.length === 1) found.push(run)
  for (let index = 1; index < characters.length; index++) {
    found.push(`${characters[index - 1]}${characters[index]}`)
  }
}

function fold(word: string): string {
  const lower = word.toLowerCase()
  if (isAscii(lower)) return lower
  let folded = ''
  for (const character of lower.normalize('NFD')) {
    if (character < '\u0300' || character > '\u036f') folded += character
  }
  return folded.normalize('NFC')
}

function isAscii(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) > 0x7f) return false
  return true
}

/** Words with a digit are identifiers (`ga4`, `2024`) and stay whole. */
function stem(word: string): string {
  if (hasDigit(word)) return word
  if (!isAscii(word)) return Array.from(word).slice(0, stemLength).join('')
  let root = word.length > 3 ? withoutSuffix(withoutPlural(word)) : word
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1)
  if (root.length > 3 && root.endsWith('y')) root = `${root.slice(0, -1)}i`
  return root.slice(0, stemLength)
}

function hasDigit(word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    if (code >= 48 && code <= 57) return true
  }
  return false
}

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  const singular = !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')
  return singular ? word : word.slice(0, -1)
}

function withoutSuffix(word: string): string {
  const suffix = ['ing', 'ed', 'ly'].find((ending) => word.endsWith(ending) && word.length >= ending.length + 3)
  if (suffix === undefined) return word
  const root = word.slice(0, -suffix.length)
  const last = root.charAt(root.length - 1)
  const doubled = root.length > 3 && last === root.charAt(root.length - 2) && !'lsz'.includes(last)
  return doubled ? root.slice(0, -1) : root
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the and or but if then else of to in on at by for with from as is are was were be been being am ' +
    'do does did doing have has had having i you he she it we they me him her us them my your his its our ' +
    'their this that these those what which who whom whose when where why how not no nor so than too very ' +
    'can could will would should shall may might must just also about into over after before between there ' +
    'here up down out off again any some all each more most other such only own same s t don now ve ll re d m'
  ).split(' '),
)
