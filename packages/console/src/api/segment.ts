/** A name as one segment of a path: one that is not plain goes as `~` and its bytes in base64url. */
export function segmentOf(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) return name
  const bytes = new TextEncoder().encode(name)
  return `~${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}`
}

/** The name that a segment stands for. */
export function nameIn(segment: string): string {
  if (!segment.startsWith('~')) return segment
  try {
    const bytes = atob(segment.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  } catch {
    return segment
  }
}
