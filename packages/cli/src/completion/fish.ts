import type { Flag, Place } from './words.ts'

/** For fish: `minutebook completion fish | source`. */
export function fishCompletion(places: readonly Place[]): string {
  const lines = places.flatMap((place) => [
    ...place.words.map(
      ({ word, description }) =>
        `complete -c minutebook -n ${condition(place)} -f -a ${word} -d ${quoted(description)}`,
    ),
    ...place.options.map(
      (flag) =>
        `complete -c minutebook -n ${condition(place)} -l ${flag.word.slice(2)} -d ${quoted(flag.description)}${valueOf(flag)}`,
    ),
  ])
  return `# Completion of the minutebook command for fish.
function __minutebook_at
    set -l words (commandline -opc)[2..]
    set -l at
    for word in $words
        contains -- "$at|$word" ${places
          .filter(({ path }) => path.length > 0)
          .map(({ path }) => quoted(`${path.slice(0, -1).join(' ')}|${path.at(-1)}`))
          .join(' ')}
        and set at (string trim "$at $word")
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}

function condition({ path }: Place): string {
  return quoted(`__minutebook_at "${path.join(' ')}"`)
}

function valueOf({ takesValue, choices }: Flag): string {
  if (!takesValue) return ''
  return choices.length === 0 ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`
}
