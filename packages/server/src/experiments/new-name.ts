/**
 * A name for a new run, after what it is like. Random, because many may be begun at the same time, on any instance.
 *
 * @example
 * newName('Lemonade stand', randomBytes) // 'lemonade-stand-k3v9x2'
 */
export function newName(like: string, random: (bytes: number) => Uint8Array): string {
  return `${stemOf(like)}-${Array.from(random(letters), (byte) => alphabet.charAt(byte % 32)).join('')}`
}

function stemOf(like: string): string {
  const words = like
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  // Of a run that was named here: without what was random in it.
  const own = words.length > 1 && isRandom.test(words.at(-1)!) ? words.slice(0, -1) : words
  return own.join('-').slice(0, longest).replace(/-$/, '') || 'run'
}

const letters = 6
const longest = 60
/** Without letters that are easily taken for others. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const isRandom = /^(?=.*\d)[0-9a-hjkmnp-tv-z]{6}$/
