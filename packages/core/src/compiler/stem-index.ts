/**
 * Which entries have which words? The index only grows. Every reader passes the `count` of entries it sees and gets
 * what an index of only those entries would have. So older views can share one index.
 */
export interface StemIndex {
  /**
   * The part of it that is stored, from the first entry on. Never more than was indexed, except for an index of the past,
   * or one that uses segments of other settings: its last segment may have later entries, also of another branch.
   */
  readonly segments: Segment[]
  /** The first entry that is in memory. Those before it are only in segments. */
  readonly base: number
  /**
   * The entries that have a stem, in order, each packed as `entry * 16 + min(occurrences, 15)`. Stems are in the order
   * of their first use.
   */
  readonly postings: Map<string, number[]>
  /** The tokens of each entry in memory. */
  readonly tokens: number[]
  /** `totals[i]` is the number of stems in the entries before `base + i`. */
  readonly totals: number[]
  /**
   * Set after a fork: the number of entries it had then, and the stems whose lists it has copied since. It shares all
   * other lists with the original.
   */
  readonly fork: { readonly entries: number; readonly own: Set<string> } | null
}

/** A part of an index that is stored, of some of the entries. */
export interface Segment {
  /** Two segments with the same name have the same content. */
  readonly name: string
  /** Its first entry, and the first one after it. */
  readonly from: number
  readonly to: number
  /** How many stems its entries have. */
  readonly stems: number
  /** The number of blocks, a power of two. */
  readonly blocks: number
}

export interface StemIndexData {
  readonly version: 2
  readonly segments: readonly Segment[]
  readonly base: number
  readonly tokens: readonly number[]
  readonly totals: readonly number[]
  readonly stems: readonly (readonly [stem: string, postings: readonly number[]])[]
}

export function createIndex(): StemIndex {
  return { segments: [], base: 0, postings: new Map(), tokens: [], totals: [0], fork: null }
}

/** How many entries are indexed. */
export function indexedIn({ base, tokens }: StemIndex): number {
  return base + tokens.length
}

/** Adds the next entry. */
export function appendStems(index: StemIndex, text: string, tokens: number): void {
  const entry = indexedIn(index)
  const found = stems(text)
  const occurrences = new Map<string, number>()
  for (const stem of found) occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1)
  for (const [stem, times] of occurrences) ownList(index, stem).push(entry * 16 + Math.min(times, 15))
  index.tokens.push(tokens)
  index.totals.push((index.totals.at(-1) ?? 0) + found.length)
}

/** The postings of a stem in memory, of the first `count` entries: the first `known` of the list. Undefined without any. */
export function postingsOf(
  index: StemIndex,
  stem: string,
  count: number,
): { readonly list: readonly number[]; readonly known: number } | undefined {
  const list = index.postings.get(stem)
  if (!list) return undefined
  const shared = index.fork && !index.fork.own.has(stem)
  const known = lowerBound(list, shared ? Math.min(count, index.fork.entries) : count)
  return known > 0 ? { list, known } : undefined
}

/** An index of the first `count` entries that can grow on its own. A list is copied when it changes. */
export function forkIndex(index: StemIndex, count: number): StemIndex {
  const entries = Math.min(count, indexedIn(index))
  const { base } = index
  const postings = new Map<string, number[]>()
  for (const [stem, list] of index.postings) {
    if ((list[0] ?? 0) >= entries * 16) break
    postings.set(stem, index.fork ? list.slice(0, postingsOf(index, stem, entries)?.known ?? 0) : list)
  }
  return {
    segments: index.segments.filter(({ from, to }) => from < base || to <= entries),
    base,
    postings,
    tokens: index.tokens.slice(0, entries - base),
    totals: index.totals.slice(0, entries - base + 1),
    fork: { entries, own: new Set() },
  }
}

/** The first `count` entries as plain data. Always the same bytes, however the index was made. */
export function saveIndex(index: StemIndex, count: number): StemIndexData {
  const { segments, base, postings, tokens, totals } = forkIndex(index, count)
  const entries = base + tokens.length
  return {
    version: 2,
    segments,
    base,
    tokens,
    totals,
    stems: [...postings].map(([stem, list]) => [stem, list.slice(0, lowerBound(list, entries))] as const),
  }
}

export function loadIndex(data: StemIndexData): StemIndex {
  const postings = new Map(data.stems.map(([stem, list]) => [stem, [...list]]))
  const { segments, base, tokens, totals } = data
  return { segments: [...segments], base, postings, tokens: [...tokens], totals: [...totals], fork: null }
}

/**
 * An index of which nothing is in memory: all that it knows is stored. `base`: how many entries it has, and `stems`: how
 * many stems they have, if not all of the segments.
 */
export function indexOver(
  segments: readonly Segment[],
  base: number = segments.at(-1)?.to ?? 0,
  stems: number = segments.reduce((sum, segment) => sum + segment.stems, 0),
): StemIndex {
  const used = segments.filter(({ from }) => from < base)
  return { segments: used, base, postings: new Map(), tokens: [], totals: [stems], fork: null }
}

/** Remembers what is stored of an index that is in memory. The next `sealing` then stores only what is new. */
export function rememberSegments({ base, segments: known }: StemIndex, segments: readonly Segment[]): void {
  // An index whose beginning is only stored must keep the segments that it reads.
  if (base === 0) known.splice(0, Infinity, ...segments)
}

/** The number of postings of entries before `entry`. */
export function lowerBound(list: ArrayLike<number>, entry: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < entry * 16) low = middle + 1
    else high = middle
  }
  return low
}

function ownList({ postings, fork }: StemIndex, stem: string): number[] {
  const list = postings.get(stem)
  if (list && (!fork || fork.own.has(stem))) return list
  const own = list ? list.slice(0, lowerBound(list, fork?.entries ?? 0)) : []
  postings.set(stem, own)
  fork?.own.add(stem)
  return own
}

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
