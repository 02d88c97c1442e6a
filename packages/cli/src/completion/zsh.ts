import type { Place } from './words.ts'

/** For zsh: `source <(minutebook completion zsh)`. */
export function zshCompletion(places: readonly Place[]): string {
  const steps = places.filter(({ path }) => path.length > 0).map(({ path }) => `      '${path.slice(0, -1).join(' ')}|${path.at(-1)}') place='${path.join(' ')}' ;;`)
  const offers = places.map(({ path, words, options }) => `    '${path.join(' ')}') offered=(${[...words, ...options].map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')}) ;;`)
  return `#compdef minutebook
# Completion of the minutebook command for zsh.
_minutebook() {
  local place='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place|$word" in
${steps.join('\n')}
    esac
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
