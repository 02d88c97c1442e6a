/**
 * A thread's id as one segment of a path. Ids may hold anything (slashes, dots, controls), and what stands between the
 * client and us may take offence: one that is not plain goes as `~` and its bytes in base64url.
 *
 * @example
 * segmentOf('garden') // 'garden'
 * segmentOf('a/b') // '~YS9i'
 */
export function segmentOf(thread: string): string {
  return plain.test(thread) ? thread : `~${Buffer.from(thread, 'utf8').toString('base64url')}`
}

/** The id of a segment. */
export function threadOf(segment: string): string {
  return segment.startsWith('~') ? Buffer.from(segment.slice(1), 'base64url').toString('utf8') : segment
}

const plain = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
