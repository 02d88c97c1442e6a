/** A byte-level vocabulary, as GPT-2 writes it: `merges` in the order in which they apply. */
export interface Vocabulary {
  /** The 256 byte letters, then one token per merge. */
  readonly tokens: readonly string[]
  /** Each is 'left right'. */
  readonly merges: readonly string[]
}

/** GPT-2's own pattern: llama.cpp's 'gpt-2' and tokenizer.json's ByteLevel split text by the same one. */
const wordPattern = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

interface Word {
  readonly count: number
  parts: readonly string[]
}

/**
 * Learns up to `mergeLimit` merges from a text. Ties go to the pair that sorts first, so the result is always the same.
 */
export function trainVocabulary(text: string, mergeLimit: number): Vocabulary {
  const words = countWords(text)
  const merges: string[] = []
  while (merges.length < mergeLimit) {
    const pair = mostFrequentPair(words)
    if (pair === undefined) break
    merges.push(pair)
    applyMerge(words, pair)
  }
  return { tokens: [...byteLetters].sort().concat(merges.map((merge) => merge.replace(' ', ''))), merges }
}

function countWords(text: string): Word[] {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(wordPattern)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Array.from(counts, ([word, count]) => ({ count, parts: lettersOf(word) }))
}

function lettersOf(word: string): string[] {
  return Array.from(Buffer.from(word), (byte) => byteLetters[byte] ?? '')
}

/** Undefined when no pair stands twice: one occurrence teaches nothing. */
function mostFrequentPair(words: readonly Word[]): string | undefined {
  let best: string | undefined
  let bestCount = 1
  for (const [pair, count] of countPairs(words)) {
    if (count > bestCount || (count === bestCount && best !== undefined && pair < best)) {
      best = pair
      bestCount = count
    }
  }
  return best
}

function countPairs(words: readonly Word[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { parts, count } of words) {
    for (let index = 1; index < parts.length; index += 1) {
      const pair = `${parts[index - 1]} ${parts[index]}`
      counts.set(pair, (counts.get(pair) ?? 0) + count)
    }
  }
  return counts
}

function applyMerge(words: readonly Word[], pair: string): void {
  const [left, right] = pair.split(' ')
  for (const word of words) {
    if (word.parts.some((part, index) => part === left && word.parts[index + 1] === right)) {
      word.parts = mergedParts(word.parts, left, right)
    }
  }
}

function mergedParts(parts: readonly string[], left: string | undefined, right: string | undefined): string[] {
  const merged: string[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? ''
    if (part === left && parts[index + 1] === right) {
      merged.push(`${part}${right}`)
      index += 1
    } else {
      merged.push(part)
    }
  }
  return merged
}

/** GPT-2's letter for each byte: printable bytes stand for themselves, the others for letters from U+0100 on. */
const byteLetters: readonly string[] = makeByteLetters()

function makeByteLetters(): string[] {
  let next = 0x100
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++))
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
}
