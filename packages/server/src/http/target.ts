/** The target of a request. */
export interface Target {
  /** Unchanged: it is its own normal form, so no server after this one can read it as another path. */
  readonly path: string
  /** '' or '?…'. */
  readonly query: string
  /** Host and port, if the request line names them. */
  readonly authority: string | undefined
}

/**
 * Reads the target of a request line. Undefined if the path can be read in more than one way: dot segments, empty
 * segments, backslashes, encoded letters. An encoded slash is allowed only in the name of a model.
 */
export function readTarget(url: string): Target | undefined {
  const scheme = /^https?:\/\//i.exec(url)?.[0]
  const start = scheme === undefined ? 0 : indexOrEnd(url, ['/', '?'], scheme.length)
  const authority = scheme === undefined ? undefined : url.slice(scheme.length, start)
  const rest = scheme !== undefined && url[start] !== '/' ? `/${url.slice(start)}` : url.slice(start)
  const end = indexOrEnd(rest, ['?'], 0)
  const [path, query] = [rest.slice(0, end), rest.slice(end)]
  return isPlain(path) && !query.includes('#') ? { path, query, authority } : undefined
}

/** The characters of a path, without those that mean something else to some servers. */
const plainCharacters = /^(?:[A-Za-z0-9._~!$&'()*+,=:@/-]|%[0-9A-Fa-f]{2})*$/
const coded = /%([0-9A-Fa-f]{2})/g

function isPlain(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || !plainCharacters.test(path)) return false
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return false
  const mayHoldSlash = path.startsWith('/v1/models/')
  for (const [, hex = ''] of path.matchAll(coded))
    if (!isPlainCode(Number.parseInt(hex, 16), mayHoldSlash)) return false
  return (
    !mayHoldSlash ||
    !path
      .slice(1)
      .toLowerCase()
      .split(/\/|%2f/)
      .some((segment) => segment === '' || segment === '.' || segment === '..')
  )
}

/** A code for a character that could not be written plainly. Some servers would decode an encoded "%" twice. */
function isPlainCode(code: number, mayHoldSlash: boolean): boolean {
  const character = String.fromCharCode(code)
  if (code < 0x20 || code === 0x7f || /[A-Za-z0-9._~\\%-]/.test(character)) return false
  return character !== '/' || mayHoldSlash
}

function indexOrEnd(text: string, marks: readonly string[], from: number): number {
  return Math.min(...marks.map((mark) => text.indexOf(mark, from)).map((index) => (index < 0 ? text.length : index)))
}
