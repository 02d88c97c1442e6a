import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a running server is, and what lets its operator in. */
export interface Address {
  readonly url: string
  /** For `Authorization: Bearer …` under `/minutebook/v1`. Ends with the server. */
  readonly token: string
  readonly pid: number
}

/**
 * Leaves the address where programs of the same user find it, and nobody else. Of several servers that share a folder
 * and a database the newest is found; the others stand aside until it ends.
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
  // A new file, whatever somebody else has put there: it holds the token from its first byte on.
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(address)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/**
 * The address that is left in a data folder; the server may be gone. Undefined where there is none that can be read.
 */
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

/** Removes the address of this server, not that of another; one that stands aside takes its place. */
export function removeAddress(data: string, token: string): void {
  rmSync(asideFile(data, token), { force: true })
  if (readAddress(data)?.token !== token) return
  const [next] = readdirSync(data).filter((name) => aside.test(name))
  if (next === undefined) rmSync(addressFile(data), { force: true })
  else renameSync(join(data, next), addressFile(data))
}

/**
 * Whether the server that left the address still answers there. It proves that it knows the token without being sent
 * it, so that whatever listens there now learns nothing.
 *
 * @example
 * const address = readAddress(data)
 * if (address && !(await isAlive(address))) removeAddress(data, address.token)
 */
export async function isAlive({ url, token }: Address, milliseconds = 2000): Promise<boolean> {
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
