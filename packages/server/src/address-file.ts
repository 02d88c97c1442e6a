import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The address of a running server, and the token for its operator. */
export interface Address {
  readonly url: string
  /** For `Authorization: Bearer …` under `/minutebook/v1`. Ends with the server. */
  readonly token: string
  readonly pid: number
}

/**
 * Writes the address to a file that only programs of the same user can read. If several servers share a folder and a
 * database, readers find the newest one. The addresses of the others are put aside until it ends.
 */
export function writeAddress(
  data: string,
  address: Address,
  { isShared = false }: { readonly isShared?: boolean } = {},
): void {
  const path = addressFile(data)
  const other = isShared ? readAddress(data) : undefined
  if (other) renameSync(path, asideFile(data, other.token))
  const draft = `${path}.${address.pid}`
  // Always a new file, even if another program has put one there: it holds the token from its first byte on.
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(address)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/** Reads the address from a data folder; undefined if there is no readable one. The server may be gone. */
export function readAddress(data: string): Address | undefined {
  try {
    const { url, token, pid } = JSON.parse(readFileSync(addressFile(data), 'utf8')) as Partial<Address>
    return typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
      ? { url, token, pid }
      : undefined
  } catch {
    return undefined
  }
}

/** Removes the address of this server, not that of another. An address that was put aside takes its place. */
export function removeAddress(data: string, token: string): void {
  rmSync(asideFile(data, token), { force: true })
  if (readAddress(data)?.token !== token) return
  const [next] = readdirSync(data).filter((name) => aside.test(name))
  if (next === undefined) rmSync(addressFile(data), { force: true })
  else renameSync(join(data, next), addressFile(data))
}

/**
 * Returns whether the server that wrote the address still answers there. The server proves that it knows the token
 * without receiving it, so another program on that port learns nothing. A port that is closed refuses at once: the time
 * is for a server that is busy.
 *
 * @example
 * const address = readAddress(data)
 * if (address && !(await isAlive(address))) removeAddress(data, address.token)
 */
export async function isAlive({ url, token }: Address, milliseconds = 15_000): Promise<boolean> {
  try {
    const response = await fetch(`${url}/livez`, { redirect: 'error', signal: AbortSignal.timeout(milliseconds) })
    const { instance } = (await response.json()) as { readonly instance?: unknown }
    return instance === instanceOf(token)
  } catch {
    return false
  }
}

/** What a server shows of its token. */
export function instanceOf(token: string): string {
  return createHash('sha256').update(`instance ${token}`).digest('hex').slice(0, 16)
}

const aside = /^server-[0-9a-f]{16}\.json$/

function asideFile(data: string, token: string): string {
  return join(data, `server-${instanceOf(token)}.json`)
}

function addressFile(data: string): string {
  return join(data, 'server.json')
}
