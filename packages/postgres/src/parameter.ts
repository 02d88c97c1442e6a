/** A value as Postgres takes it: bytes as they are, all else as text, and a list as the text of an array. */
export function parameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  return value instanceof Date ? value.toISOString() : plain(value)
}

function element(value: unknown): string {
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : plain(value)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
