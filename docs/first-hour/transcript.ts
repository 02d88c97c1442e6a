/** What was typed and what was to be seen, as Markdown. */
export interface Transcript {
  readonly say: (text: string) => void
  /** A file that somebody writes. */
  readonly file: (language: string, text: string) => void
  /**
   * A command and what it printed, which must have all of this in it. `words`: it holds words of the model, which may
   * be others on another machine.
   */
  readonly command: (
    command: string,
    output: string,
    options?: { readonly expect?: readonly RegExp[]; readonly words?: boolean },
  ) => void
  readonly markdown: () => string
}

export function createTranscript(steady: (text: string) => string): Transcript {
  const pieces: string[] = []
  return {
    say: (text) => void pieces.push(text),
    file: (language, text) => void pieces.push(`\`\`\`${language}\n${text.trim()}\n\`\`\``),
    command: (command, output, { expect = [], words = false } = {}) => {
      for (const pattern of expect)
        if (!pattern.test(output)) throw new Error(`${command} does not show ${pattern}:\n${output}`)
      const lines = steady(`$ ${command}\n${output}`)
        .split('\n')
        .map((line) => line.trimEnd())
      pieces.push(`\`\`\`console${words ? ' words' : ''}\n${lines.join('\n').trim()}\n\`\`\``)
    },
    markdown: () => `${pieces.join('\n\n')}\n`,
  }
}

/**
 * What must be the same on every machine: all that we say and type, and what commands print but for its numbers; of
 * what holds words of the model, nothing.
 */
function shapeOf(markdown: string): string[] {
  const shape: string[] = []
  let block: 'none' | 'plain' | 'words' = 'none'
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) block = block !== 'none' ? 'none' : line.endsWith(' words') ? 'words' : 'plain'
    else if (block === 'words' && !line.startsWith('$ ')) continue
    shape.push(line.replaceAll(/[\d,.]*\d/g, '0').replaceAll(/\s+/g, ' '))
  }
  return shape
}

/** The first place where two shapes differ; undefined where they do not. */
export function difference(before: string, after: string): string | undefined {
  const [old, now] = [shapeOf(before), shapeOf(after)]
  const at = now.findIndex((line, index) => line !== old[index])
  if (at < 0 && old.length === now.length) return undefined
  const place = at < 0 ? now.length : at
  return `- ${old[place] ?? '(nothing)'}\n+ ${now[place] ?? '(nothing)'}`
}
