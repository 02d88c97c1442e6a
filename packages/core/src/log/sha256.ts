/**
 * SHA-256 of a text's UTF-8 bytes, in hexadecimal. Lone surrogates become U+FFFD: hash JSON, which escapes them.
 *
 * Import it as `#sha256`: then `imports` in package.json chooses the platform's own implementation if it is synchronous
 * (Node, Bun, Deno: sha256-node.ts), and this one in a browser.
 */
export function sha256(text: string): string {
  const blocks = new Uint8Array(3 * text.length + 72)
  const end = pad(blocks, encode(text, blocks))
  const state = initial.slice()
  for (let at = 0; at < end; at += 64) compress(state, blocks, at)
  let digest = ''
  for (const word of state) digest += (word >>> 0).toString(16).padStart(8, '0')
  return digest
}

/** Hashes a text that comes in pieces. No piece may end in half a surrogate pair. */
export interface Sha256 {
  add(piece: string): void
  digest(): string
}

export function createSha256(): Sha256 {
  const pieces: string[] = []
  return { add: (piece) => void pieces.push(piece), digest: () => sha256(pieces.join('')) }
}

/** Writes the text as UTF-8 and returns the number of bytes. */
function encode(text: string, bytes: Uint8Array): number {
  let at = 0
  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index)
    if (point < 0x80) {
      bytes[at++] = point
      continue
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      point = text.codePointAt(index) ?? point
      if (point > 0xffff) index++
      else point = 0xfffd
    }
    if (point < 0x800) bytes[at++] = 0xc0 | (point >> 6)
    else {
      if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12)
      else {
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 63)
      }
      bytes[at++] = 0x80 | ((point >> 6) & 63)
    }
    bytes[at++] = 0x80 | (point & 63)
  }
  return at
}

/** Pads the last block according to the standard: a one, zeros, the number of bits. Returns the end of that block. */
function pad(bytes: Uint8Array, length: number): number {
  const end = (length + 72) & ~63
  bytes[length] = 0x80
  let bits = length * 8
  for (let at = end - 1; bits > 0; at--) {
    bytes[at] = bits % 256
    bits = Math.floor(bits / 256)
  }
  return end
}

/** Shared by all calls. No value is kept from one call to the next. */
const words = new Int32Array(64)

function compress(state: Int32Array, bytes: Uint8Array, start: number): void {
  for (let index = 0; index < 16; index++) {
    const at = start + index * 4
    words[index] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!
    const late = words[index - 2]!
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = (words[index - 16]! + first + words[index - 7]! + second) | 0
  }
  let a = state[0]!,
    b = state[1]!,
    c = state[2]!,
    d = state[3]!
  let e = state[4]!,
    f = state[5]!,
    g = state[6]!,
    h = state[7]!
  for (let index = 0; index < 64; index++) {
    const choose = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choose + constants[index]! + words[index]!) | 0
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

// The fractional parts of the square and cube roots of the first primes, as in the standard.
const primes: readonly number[] = firstPrimes(64)
const initial: Int32Array = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const constants: Int32Array = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}
