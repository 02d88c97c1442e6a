import { codeOf } from '../../../../tests/support/code.ts'

/** A phrase that readers stumble on, and what to write instead. The two examples show what the rule finds and leaves. */
export interface Rule {
  readonly pattern: RegExp
  readonly instead: string
  readonly bad: string
  readonly good: string
}

/** The rules of plain English. Each applies to a line together with the next one. */
export const rules: readonly Rule[] = [
  {
    // A run's participants are the one case that is about telling.
    pattern: /(?<!hear each other )\bunless (?:told|said)\b/i,
    instead: 'Default: …',
    bad: 'The window; 4096 unless told.',
    good: 'The window. Default: 4096. They do not hear each other unless told.',
  },
  {
    pattern: /\bwho(?:so)?ever\b/i,
    instead: 'name the actor',
    bad: 'The turn ends, whoever leaves.',
    good: 'The turn ends even if the client disconnects.',
  },
  {
    pattern: /\bnobody\b/i,
    instead: 'name the actor, or "no client", "no process"',
    bad: 'Nobody runs this turn.',
    good: 'No instance runs this turn.',
  },
  {
    pattern: /\bsomebody\b/i,
    instead: 'name the actor: a person, a client, a caller',
    bad: 'Somebody reads the stream.',
    good: 'A client reads the stream.',
  },
  {
    pattern:
      /(?:^|[.:;] )Who (?:asks|follows|has|knows|leaves|makes|names|reads|runs|sends|starts|wants|watches)\b(?![^.]*\?)/,
    instead: 'name the actor',
    bad: 'Who follows a stream is sent away.',
    good: 'Who sends it? A client that follows a stream is disconnected.',
  },
  {
    pattern: /\bmend(?:s|ed|ing)?\b/i,
    instead: 'fix',
    bad: 'One thing must be mended.',
    good: 'The recommended fix is to amend one thing.',
  },
  { pattern: /\banew\b/i, instead: 'again', bad: 'The prompt is made anew.', good: 'The prompt is built again.' },
  { pattern: /\bonce more\b/i, instead: 'again', bad: 'It asks once more.', good: 'It asks again, more than once.' },
  {
    pattern: /\bstands? (?:in|under|for|there|here|above|below|behind|beside|on)\b/i,
    instead: 'is in, appears, means',
    bad: 'A mark stands for a line break.',
    good: 'A mark replaces a line break in stand.yaml.',
  },
  {
    pattern: /\bon record\b(?! \()/i,
    instead: 'recorded',
    bad: 'Nothing is on record.',
    good: 'Nothing is recorded on recorders.',
  },
  {
    pattern: /(?<=\w )(?<!there )(?:is|are) none\b/i,
    instead: 'say what it is',
    bad: 'A tool that is none is refused.',
    good: 'If there is none, the name is refused.',
  },
  {
    pattern: /(?<=\w )(?<!there )(?:is|are|was|were) no (?!(?:longer|more|limit|reason|need)\b)/i,
    instead: 'is not a …',
    bad: 'A text that is no JSON is refused.',
    good: 'If there is no JSON, or it is no longer valid, it is not a record.',
  },
  {
    pattern: /\bheed(?:s|ed|ing)?\b/i,
    instead: 'follow, apply',
    bad: 'Every instance heeds it.',
    good: 'It needs no heedless care.',
  },
  {
    pattern: /\bbeside\b/i,
    instead: 'next to',
    bad: 'The file beside this one.',
    good: 'Besides, it is the file next to this one.',
  },
  {
    pattern: /\bgives? back\b|\bthe answer (?:ends with|is called)\b/i,
    instead: 'returns',
    bad: 'It gives back the log.',
    good: 'It returns the log.',
  },
  {
    pattern: /\bwhere (?:there (?:is|are)|nothing|nobody|no|none)\b/i,
    instead: 'if',
    bad: 'The newest, where no thread is named.',
    good: 'The newest, if no thread is named, and where it is kept.',
  },
  {
    pattern: /\bso many\b/i,
    instead: 'say the number, or its name',
    bad: 'After so many rows it stops.',
    good: 'After 40 rows it stops.',
  },
  {
    pattern: /\bas (?:it|they|the \w+) ha(?:s|ve) (?:it|them)\b/i,
    instead: 'as … defines it',
    bad: 'The limit, as the file has it.',
    good: 'The limit of the file.',
  },
  {
    pattern: /\botherwise\b(?=[^.]*\bthan\b)/i,
    instead: 'differently',
    bad: 'It was sent otherwise than it is shown.',
    good: 'Otherwise it is shown. That takes less than a second.',
  },
  {
    pattern: /\bthe very (?!(?:same|first|last|next)\b)/i,
    instead: 'the exact',
    bad: 'A file gets the very bytes.',
    good: 'A file gets the exact bytes, from the very first on.',
  },
  {
    pattern: /\b(?:elided|elision)\b/i,
    instead: 'omitted',
    bad: 'An elided message.',
    good: 'An omitted message.',
  },
  {
    pattern: /\b(?:doorbell|whereabouts)\b/i,
    instead: "the field's own word: queue, cache, notification, location",
    bad: 'The whereabouts of the record.',
    good: 'The location of the record.',
  },
]

/** A place where a rule finds something. */
export interface Finding {
  readonly line: number
  readonly text: string
  readonly instead: string
}

/** What the rules find in the prose of a file: Markdown, or the comments, texts and labels of TypeScript. */
export function stumbles(file: string, text: string): Finding[] {
  const lines = proseOf(file, text).split('\n')
  return lines.flatMap((line, index) => {
    // A sentence goes on in the next line.
    const joined = `${line.trimEnd()} ${lines[index + 1]?.trimStart() ?? ''}`
    return rules.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(joined)
      return found && found.index < line.trimEnd().length ? [{ line: index + 1, text: found[0].trim(), instead }] : []
    })
  })
}

/** A file with everything but its prose replaced by spaces, so that lines keep their numbers. */
function proseOf(file: string, text: string): string {
  if (file.endsWith('.md')) return markdownProse(text)
  const code = codeOf(text)
  const labels = file.endsWith('.tsx') ? labelsOf(code) : []
  return text
    .split('')
    .map((letter, at) => (letter === '\n' || code[at] !== letter || labels[at] === true ? letter : ' '))
    .join('')
    .replaceAll(/^[ \t]*(?:\/\*\*?|\*\/?|\/\/) ?/gm, '')
}

/** The positions of letters that are text between two tags. */
function labelsOf(code: string): boolean[] {
  const labels: boolean[] = []
  for (const { index, 0: found } of code.matchAll(/(?<=>)[^<>{}=;()]+(?=[<{])/g))
    for (let at = index; at < index + found.length; at++) labels[at] = true
  return labels
}

/** Markdown without code, and without the addresses of links. */
function markdownProse(text: string): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      const isFence = line.trimStart().startsWith('```')
      if (isFence) isCode = !isCode
      return isFence || isCode ? '' : line.replaceAll(/`[^`]*`/g, '`…`').replaceAll(/\]\([^)]*\)/g, ']')
    })
    .join('\n')
}
