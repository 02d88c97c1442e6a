/**
 * Which part of a text is an estimate sure of? Words in Latin letters and single signs. Vocabularies differ
 * much more in digits, repeated signs, blanks and the letters of other scripts, so these may cost almost nothing.
 *
 * @example
 * reliablyCountedPart('The lamp: 2026 ------ 灯') // 'The lamp:  - '
 */
export function reliablyCountedPart(text: string): string {
  return partOf(text, isSure)
}

/**
 * The part of a text that every vocabulary turns into tokens: words in the letters of any script and single signs, but
 * no digits, repeated signs and blanks.
 *
 * @example
 * wordPart('The lamp: 2026 ------ 灯') // 'The lamp:  - 灯'
 */
export function wordPart(text: string): string {
  return partOf(text, (unit) => isSure(unit) || unit >= 0x250)
}

/** Removes the units that are not taken, and repetitions of all units except Latin letters. */
function partOf(text: string, isTaken: (unit: number) => boolean): string {
  let kept = ''
  let from = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (isTaken(unit) && (unit !== before || isLatin(unit))) {
      before = unit
      continue
    }
    kept += text.slice(from, at)
    from = at + 1
    before = unit
  }
  return from === 0 ? text : kept + text.slice(from)
}

function isSure(unit: number): boolean {
  return isLatin(unit) || (unit >= 0x20 && unit < 0x7f && !(unit >= 0x30 && unit <= 0x39))
}

function isLatin(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit < 0x250)
}
