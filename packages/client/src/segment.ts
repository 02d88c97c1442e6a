/** A name as one segment of a path: one that is not plain goes as `~` and its bytes in base64url. */
export function segmentOf(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) return name
  const bytes = new TextEncoder().encode(name)
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `~${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
