/**
 * How are whole numbers and short texts written as bytes? Seven bits of a number in each byte, the lowest first; the
 * eighth bit says that more follow. So a small number takes one byte. Numbers may have up to 53 bits.
 */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  number(value: number): void {
    this.#grow(8)
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80
    this.#bytes[this.#length++] = rest
  }

  /** Two bytes, the lower first, so that a list of them can be read at any place. */
  fixed(value: number): void {
    this.#grow(2)
    this.#bytes[this.#length++] = value & 0xff
    this.#bytes[this.#length++] = value >> 8
  }

  /** The number of UTF-16 units, then each of them as a number. */
  text(text: string): void {
    this.number(text.length)
    for (let index = 0; index < text.length; index++) this.number(text.charCodeAt(index))
  }

  /** Its number of bytes, then what another writer wrote. */
  part(other: ByteWriter): void {
    this.number(other.#length)
    this.#grow(other.#length)
    this.#bytes.set(other.#bytes.subarray(0, other.#length), this.#length)
    this.#length += other.#length
  }

  /** Forgets what was written. */
  clear(): void {
    this.#length = 0
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #grow(by: number): void {
    if (this.#length + by <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads what a `ByteWriter` wrote, in the same order. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  number(): number {
    let value = this.#bytes[this.at++] ?? 0
    if (value < 0x80) return value
    value &= 0x7f
    for (let scale = 0x80; ; scale *= 0x80) {
      const byte = this.#bytes[this.at++] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  /** Goes past these bytes, if they are next. */
  skips(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) if (this.#bytes[this.at + index] !== bytes[index]) return false
    this.at += bytes.length
    return true
  }

  text(): string {
    let text = ''
    for (let left = this.number(); left > 0; left--) text += String.fromCharCode(this.number())
    return text
  }
}

/** The number that `fixed` wrote at a place of a list. */
export function fixedAt(bytes: Uint8Array, place: number): number {
  return (bytes[2 * place] ?? 0) + (bytes[2 * place + 1] ?? 0) * 0x100
}
