/** Our messages say what is wrong, then what to do, after a semicolon or a full stop: the two by themselves. */
export function parted(text: string): { readonly message: string; readonly fix: string } {
  const at = seamIn(text)
  if (at < 0) return { message: text, fix: 'See the documentation of this error code.' }
  const fix = text.slice(at + 2)
  return { message: `${text.slice(0, at)}.`, fix: `${fix.charAt(0).toUpperCase()}${fix.slice(1)}` }
}

/** The first of the two marks that stands in neither brackets nor quotes; -1 where there is none. */
function seamIn(text: string): number {
  let [depth, isQuoted] = [0, false]
  for (let at = 0; at < text.length - 2; at++) {
    const mark = text[at]
    if (mark === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (mark === '(') depth++
    if (mark === ')') depth--
    if (depth === 0 && at > 0 && (mark === ';' || mark === '.') && text[at + 1] === ' ') return at
  }
  return -1
}
