/** Sums by entry, for few entries out of many: memory and time follow the entries touched, not the length of the log. */
export class SparseSums {
  /** The entries that have a sum, in the order in which they got it. */
  readonly entries: number[] = []
  readonly #mask: number
  /** Open addressing: each slot holds an entry + 1, or 0. */
  readonly #slots: Int32Array
  readonly #sums: Float64Array

  /** `most` is how many entries may be touched. */
  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.#mask = size - 1
    this.#slots = new Int32Array(size)
    this.#sums = new Float64Array(size)
  }

  add(entry: number, amount: number): void {
    const slot = this.#slotOf(entry)
    if (this.#slots[slot] === 0) {
      this.#slots[slot] = entry + 1
      this.entries.push(entry)
    }
    this.#sums[slot]! += amount
  }

  of(entry: number): number {
    return this.#sums[this.#slotOf(entry)] ?? 0
  }

  #slotOf(entry: number): number {
    let slot = Math.imul(entry, 0x9e3779b1) & this.#mask
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== entry + 1) slot = (slot + 1) & this.#mask
    return slot
  }
}
