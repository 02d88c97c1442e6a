/**
 * SHA-256 of a text's UTF-8 bytes, in hexadecimal. Synchronous and the same in every runtime,
 * which the platform's own digests are not. Lone surrogates become U+FFFD: hash JSON, which escapes them.
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(initial)
  const block = new Uint8Array(64)
  const words = new Uint32Array(64)
  let filled = 0
  let total = 0

  const put = (byte: number): void => {
    block[filled++] = byte
    total++
    if (filled < 64) return
    compress(state, block, words)
    filled = 0
  }

  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index)
    if (point < 0x80) {
      put(point)
      continue
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      point = text.codePointAt(index) ?? point
      if (point > 0xffff) index++
      else point = 0xfffd
    }
    if (point < 0x800) put(0xc0 | (point >> 6))
    else {
      if (point < 0x10000) put(0xe0 | (point >> 12))
      else {
        put(0xf0 | (point >> 18))
        put(0x80 | ((point >> 12) & 63))
      }
      put(0x80 | ((point >> 6) & 63))
    }
    put(0x80 | (point & 63))
  }

  const bits = total * 8
  put(0x80)
  while (filled !== 56) put(0)
  const high = Math.floor(bits / 2 ** 32)
  for (const word of [high, bits >>> 0]) for (const shift of [24, 16, 8, 0]) put((word >>> shift) & 255)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

function compress(state: Uint32Array, block: Uint8Array, words: Uint32Array): void {
  for (let index = 0; index < 16; index++) {
    const at = index * 4
    words[index] = (block[at]! << 24) | (block[at + 1]! << 16) | (block[at + 2]! << 8) | block[at + 3]!
  }
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!
    const late = words[index - 2]!
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = (words[index - 16]! + first + words[index - 7]! + second) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
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
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index]! + word) | 0
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

// The fractional parts of the square and cube roots of the first primes, as the standard derives them.
const primes: readonly number[] = firstPrimes(64)
const initial: readonly number[] = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants: readonly number[] = primes.map((prime) => fraction(Math.cbrt(prime)))

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
