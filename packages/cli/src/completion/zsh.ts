import { placeCases } from './place-cases.ts'
import type { Place } from './words.ts'

/** For zsh: `source <(minutebook completion zsh)`. */
export function zshCompletion(places: readonly Place[]): string {
  const offers = places.map(
    ({ path, words, options }) =>
      `    '${path.join(' ')}') offered=(${[...words, ...options].map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')}) ;;`,
  )
  return `#compdef minutebook
# Completion of the minutebook command for zsh.
_minutebook() {
  local place='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
${placeCases(places)}
  done
  case "$place" in
${offers.join('\n')}
  esac
  _describe 'minutebook' offered || _files
}
compdef _minutebook minutebook
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
