import { placeCases } from './place-cases.ts'
import type { Place } from './words.ts'

/** For bash: `eval "$(minutebook completion bash)"`. Where nothing is known, names of files. */
export function bashCompletion(places: readonly Place[]): string {
  const offers = places.map(
    ({ path, words, options }) =>
      `    '${path.join(' ')}') words='${[...words, ...options].map(({ word }) => word).join(' ')}' ;;`,
  )
  const values = valuesOf(places).map(([flag, choices]) => `    ${flag}) words='${choices.join(' ')}' ;;`)
  return `# Completion of the minutebook command for bash.
_minutebook() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${placeCases(places)}
  done
  case "$place" in
${offers.join('\n')}
  esac
  case "$before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _minutebook minutebook
`
}

/** Options whose values are not free: nothing is offered, or what can be chosen. */
function valuesOf(places: readonly Place[]): (readonly [flag: string, choices: readonly string[]])[] {
  const flags = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue)
  return [...new Map(flags.map(({ word, choices }) => [word, choices]))]
}
