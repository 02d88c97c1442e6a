/**
 * The code of a file with comments, regular expressions and the contents of strings replaced by spaces. Same length and
 * lines as the text, so a position in one is a position in the other. What stands inside `${}` is code.
 */
export function codeOf(text: string): string {
  return blanked(text, 'comments and texts')
}

/** The text of a file with its comments replaced by spaces. What is in strings stays. */
export function withoutComments(text: string): string {
  return blanked(text, 'comments')
}

function blanked(text: string, which: 'comments' | 'comments and texts'): string {
  const out = text.split('')
  const templates: number[] = []
  let depth = 0
  let at = 0

  const blank = (from: number, to: number): void => {
    for (let i = from; i < to && i < out.length; i++) if (out[i] !== '\n') out[i] = ' '
  }
  const blankText = (from: number, to: number): void => {
    if (which === 'comments and texts') blank(from, to)
  }
  const template = (from: number): number => {
    let i = from
    while (i < text.length && text[i] !== '`' && !text.startsWith('${', i)) i += text[i] === '\\' ? 2 : 1
    blankText(from, i)
    if (text[i] !== '$') return i + 1
    templates.push(depth++)
    return i + 2
  }

  while (at < text.length) {
    const sign = text[at]
    if (text.startsWith('//', at) || (at === 0 && text.startsWith('#!'))) at = skip(text.indexOf('\n', at))
    else if (text.startsWith('/*', at)) at = skip(text.indexOf('*/', at + 2), 2)
    else if (sign === "'" || sign === '"') at = quoted(sign)
    else if (sign === '`') at = template(at + 1)
    else if (sign === '/' && startsPattern(out, at)) at = pattern()
    else if (sign === '}' && templates.at(-1) === depth - 1) {
      depth = templates.pop() ?? 0
      at = template(at + 1)
    } else {
      if (sign === '{') depth++
      if (sign === '}') depth--
      at++
    }
  }
  return out.join('')

  function skip(end: number, tail = 0): number {
    const to = end < 0 ? text.length : end + tail
    blank(at, to)
    return to
  }
  function quoted(quote: string): number {
    let i = at + 1
    while (i < text.length && text[i] !== quote && text[i] !== '\n') i += text[i] === '\\' ? 2 : 1
    blankText(at + 1, i)
    return i + 1
  }
  function pattern(): number {
    let i = at + 1
    for (let set = false; i < text.length && (set || text[i] !== '/') && text[i] !== '\n'; i++) {
      if (text[i] === '\\') i++
      else if (text[i] === '[') set = true
      else if (text[i] === ']') set = false
    }
    blankText(at + 1, i)
    return i + 1
  }
}

/** A slash begins a pattern where an operand is due, and divides elsewhere. */
function startsPattern(code: string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 60), at)
    .join('')
    .trimEnd()
  return (
    before === '' ||
    /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|throw|yield|await))$/.test(before)
  )
}

export interface Import {
  readonly specifier: string
  readonly line: number
  /** Vanishes when types are erased. */
  readonly typeOnly: boolean
  /** Loaded when it is needed: `await import('…')` or `() => import('…')`. */
  readonly onDemand: boolean
  /** What it imports by name, as the other module calls it. What is only passed on is not imported. */
  readonly names: readonly string[]
}

const clauses = String.raw`(?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+`
const named = new RegExp(String.raw`(?<![\w$.])(import|export)\s+(type\s+)?(${clauses})\s*from\s*(['"])( *)\4`, 'g')
const bare = /(?<![\w$.])import\s*(['"])( *)\1/g
const inline = /(?<![\w$.])(=>\s*|await\s+)?import\s*\(\s*(['"`]?)( *)/g

/** Every module that a file names, in the order of the three ways to name one. A computed name is `<computed>`. */
export function importsOf(text: string): Import[] {
  const code = codeOf(text)
  const found: Import[] = []
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length
  const add = (
    start: number,
    end: number,
    typeOnly: boolean,
    names: readonly string[] = [],
    onDemand = false,
  ): void => {
    found.push({ specifier: text.slice(start, end), line: lineAt(start), typeOnly, onDemand, names })
  }

  for (const match of code.matchAll(named)) {
    const [whole, way, typeWord, clause = '', , name = ''] = match
    const end = match.index + whole.length - 1
    const items = itemsOf(clause)
    const isListOfTypes = /^\{[^}]*\}$/.test(clause) && items.length > 0 && items.every((item) => /^type\s/.test(item))
    const names = items.map((item) => item.replace(/^type\s+/, '').split(/\s/)[0] ?? item)
    add(end - name.length, end, typeWord !== undefined || isListOfTypes, way === 'import' ? names : [])
  }
  for (const match of code.matchAll(bare)) {
    const end = match.index + match[0].length - 1
    add(end - (match[2] ?? '').length, end, false)
  }
  for (const match of code.matchAll(inline)) {
    const end = match.index + match[0].length
    const onDemand = match[1] !== undefined
    if (match[2] === '')
      found.push({ specifier: '<computed>', line: lineAt(end), typeOnly: false, onDemand, names: [] })
    else add(end - (match[3] ?? '').length, end, false, [], onDemand)
  }
  return found
}

/** What stands between the braces of an import, one text a name. */
const itemsOf = (clause: string): string[] =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
