/**
 * Returns a text that is safe to print. Control characters (except line breaks and tabs), bidirectional and other
 * invisible characters and lone surrogates become `\u{…}`, so nothing can hide, move or colour the text around it.
 *
 * @example
 * printable('red \u001b[31m') // 'red \\u{1b}[31m'
 */
export function printable(text: string): string {
  let shown = ''
  for (const character of text)
    shown += isHidden(character) ? `\\u{${character.codePointAt(0)!.toString(16)}}` : character
  return shown
}

/** The same on one line: a run of white space becomes one blank. */
export function printableLine(text: string): string {
  return printable(text.split(/\s+/).filter(Boolean).join(' '))
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0)!
  if (code === 0x0a || code === 0x09) return false
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  return code >= 0xad && /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u.test(character) && !isJoiner(code)
}

/** Emoji and several scripts are spelled with these, and they move nothing. */
function isJoiner(code: number): boolean {
  return code === 0x200c || code === 0x200d
}

/**
 * A thread's id as one segment of a path. Ids can contain slashes, dots and controls, which a proxy may reject. An id
 * that is not plain becomes `~` and its bytes in base64url.
 *
 * @example
 * segmentOf('garden') // 'garden'
 * segmentOf('a/b') // '~YS9i'
 */
export function segmentOf(thread: string): string {
  return plain.test(thread) ? thread : `~${Buffer.from(thread, 'utf8').toString('base64url')}`
}

/** The id in a segment. */
export function threadOf(segment: string): string {
  return segment.startsWith('~') ? Buffer.from(segment.slice(1), 'base64url').toString('utf8') : segment
}

const plain = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
