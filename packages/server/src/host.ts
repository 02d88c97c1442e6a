/** Whether a host, without port, is this machine for everybody: other machines cannot be reached under it. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '::1' || name === '[::1]' || isLoopbackAddress(name)
}

/** The whole of 127.0.0.0/8, in the one form in which four numbers are written. */
function isLoopbackAddress(name: string): boolean {
  const parts = name.split('.')
  return (
    parts.length === 4 &&
    parts[0] === '127' &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  )
}

/** How a host stands in a URL. */
export function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
