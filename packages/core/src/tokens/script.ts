/**
 * What does a code unit outside of ASCII cost? In hundredths of a token: after a unit of another script, after one of
 * the same script, and when it repeats the unit before it. The numbers are upper envelopes of o200k, cl100k, llama2,
 * llama3, qwen3 and gemma2, measured on running text.
 */
export interface Script {
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
export function scriptOf(unit: number): number {
  return blocks[unit >> 4]!
}

/** True if units of these two scripts follow each other in ordinary text. */
export function areNeighbours(one: Script, other: Script): boolean {
  return one.family === undefined || other.family === undefined || one.family === other.family
}

const letters = (family: string, first: number, next: number): Script => ({ family, first, next, repeat: next })
const signs = (first: number, next: number, repeat: number): Script => ({ first, next, repeat })

/** A unit that no vocabulary has is spelled in UTF-8 bytes: three of them up to U+FFFF. */
export const worstUnit = 300

export const scripts: readonly Script[] = [
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
