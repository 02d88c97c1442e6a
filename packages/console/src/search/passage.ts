/** The part of a long text around the first word that was looked for. */
export function passage(text: string, query: string, length = 400): string {
  const places = wordsIn(query)
    .map((word) => text.toLowerCase().indexOf(word))
    .filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 80)
  const end = start + length
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/**
 * A text in parts, with those that were looked for told apart.
 *
 * @example
 * marked('ferns grow', 'grow') // [['ferns ', false], ['grow', true]]
 */
export function marked(text: string, query: string): readonly (readonly [part: string, isHit: boolean])[] {
  const words = wordsIn(query)
  const low = text.toLowerCase()
  const parts: [string, boolean][] = []
  let at = 0
  while (at < text.length) {
    const hits = words.map((word) => [low.indexOf(word, at), word.length] as const).filter(([place]) => place >= 0)
    const [place, size] = hits.toSorted(([one], [other]) => one - other)[0] ?? [text.length, 0]
    if (place > at) parts.push([text.slice(at, place), false])
    if (size > 0) parts.push([text.slice(place, place + size), true])
    at = place + Math.max(1, size)
    if (size === 0) break
  }
  return parts
}

function wordsIn(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
