/** What is wrong with one setting. Never holds its value, which may be a secret. */
export interface Problem {
  /** `upstreams[1].url` */
  readonly field: string
  /** What is wrong and how to mend it, in one line. */
  readonly text: string
}

export function problemText({ field, text }: Problem): string {
  return field === '' ? text : `${field}: ${text}`
}

/** A path as people write it: `upstreams[1].url`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    const text = String(part)
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    if (!isPlain) return `${name}["${text}"]`
    return name === '' ? text : `${name}.${text}`
  }, '')
}
