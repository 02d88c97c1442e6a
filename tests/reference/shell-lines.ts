// Which calls of the `minutebook` command does a block of shell lines have? Only as much of a shell as our pages use.

/** The words after `minutebook`, for each call in a block. */
export function callsIn(block: string): string[][] {
  const lines = withoutDocuments(block.replaceAll(/\\\n\s*/g, ' ')).split('\n')
  return lines
    .flatMap((line) => [line, ...inner(line)].map(expanded))
    .flatMap((line) =>
      commandsIn(line).flatMap((words) => {
        const call = afterName(words)
        return call ? [call] : []
      }),
    )
}

/** Without what is given to a program in place of a file: `<<EOF … EOF`. */
function withoutDocuments(block: string): string {
  return block.replaceAll(/<<-?\s*'?(\w+)'?(.*)\n[\s\S]*?\n\1$/gm, '$2')
}

/** The commands in `$(…)`. */
function inner(line: string): string[] {
  return [...line.matchAll(/\$\(([^()]*)\)/g)].map(([, command = '']) => command)
}

/** A line as if every variable and every `$(…)` were `1`. `${name:+words}` and the like are empty. */
function expanded(line: string): string {
  return line
    .replaceAll(/\$\{\w+:?[-+=?][^}]*\}/g, '')
    .replaceAll(/\$\([^()]*\)/g, '1')
    .replaceAll(/\$(?:\w+|\{\w+\})/g, '1')
}

/** A line as commands, each as its words. Comments, redirections and variables in front are left out. */
function commandsIn(line: string): string[][] {
  const commands: string[][] = [[]]
  const token =
    /\s+|#.*$|(&&|\|\||[|;&])|\d?>>?&?\s*[^\s;|&]+|<(?![a-z])\s*[^\s;|&]+|((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"|;&>\\])+)/gm
  for (const [found, separator, word] of line.matchAll(token)) {
    if (separator !== undefined) commands.push([])
    else if (word !== undefined) commands.at(-1)!.push(unquoted(word))
    else if (found.startsWith('#')) break
  }
  return commands
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, one?: string) => single ?? double?.replaceAll(/\\(.)/g, '$1') ?? one ?? '',
  )
}

/** The words after the name of the command, if it is ours. It may run in a container, or with npx. */
function afterName(words: readonly string[]): string[] | undefined {
  const called = words.slice(words.findIndex((word) => !/^(?:\$|sudo|exec|export|\w+=.*)$/.test(word)))
  const [name, ...rest] = called
  if (name === 'minutebook') return rest
  if (name === 'npx') {
    const at = rest.findIndex((word) => /^@minutebook\/cli(?:@|$)/.test(word) || word === 'minutebook')
    return at < 0 ? undefined : rest.slice(at + 1)
  }
  const inside = name === 'docker' && called.includes('exec') ? called.indexOf('minutebook') : -1
  return inside < 0 ? undefined : called.slice(inside + 1)
}
