import { Argument, type Command, type Option } from 'commander'
import { shellQuoted } from '../terminal/text.ts'
import type { DefineCommand } from './command.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

export const define: DefineCommand = (command, terminal, setExitCode) => {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText('after', uses)
    .action((shell: keyof typeof shells, _: object, { parent }: Command) => {
      terminal.output.write(shells[shell](placesOf(parent ?? command)))
      setExitCode(0)
    })
}

const uses = `
To load it in every new shell:
  echo 'eval "$(minutebook completion bash)"' >> ~/.bashrc
  echo 'source <(minutebook completion zsh)' >> ~/.zshrc
  minutebook completion fish > ~/.config/fish/completions/minutebook.fish`

/** The words that can appear at a place of a command line. */
interface Place {
  /** The commands before it: `[]` for the program itself, `['keys', 'create']` for that command. */
  readonly path: readonly string[]
  /** Commands, and the choices of an argument. */
  readonly words: readonly Word[]
  readonly options: readonly Flag[]
}

interface Word {
  readonly word: string
  readonly description: string
}

/** An option in its long form. */
interface Flag extends Word {
  /** Whether a value follows. */
  readonly takesValue: boolean
  /** The choices of the value. Empty: any value, such as a file. */
  readonly choices: readonly string[]
}

/** Every place of a program, from its own tree of commands. A new command is completed without a change here. */
function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const words = commands.map((each) => ({ word: each.name(), description: firstClause(each.description()) }))
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description: firstClause(description) })),
  )
  const place = { path, words: [...words, ...choices], options: help.visibleOptions(command).flatMap(flagOf) }
  return [
    place,
    ...commands.filter((each) => each.name() !== 'help').flatMap((each) => placesOf(each, [...path, each.name()])),
  ]
}

function flagOf({ long, description, required, optional, argChoices = [] }: Option): Flag[] {
  return long
    ? [{ word: long, description: firstClause(description), takesValue: required || optional, choices: argChoices }]
    : []
}

function firstClause(text: string): string {
  return text.split(/[;:(]/, 1)[0]?.trim() ?? ''
}

/** For bash: `eval "$(minutebook completion bash)"`. Completes file names if there are no words. */
function bashCompletion(places: readonly Place[]): string {
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

/** Options that take a value, with the choices of that value. */
function valuesOf(places: readonly Place[]): (readonly [flag: string, choices: readonly string[]])[] {
  const flags = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue)
  return [...new Map(flags.map(({ word, choices }) => [word, choices]))]
}

/** For zsh: `source <(minutebook completion zsh)`. */
function zshCompletion(places: readonly Place[]): string {
  const offers = places.map(
    ({ path, words, options }) =>
      `    '${path.join(' ')}') offered=(${[...words, ...options].map(({ word, description }) => shellQuoted(`${word}:${description}`)).join(' ')}) ;;`,
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

/** For fish: `minutebook completion fish | source`. */
function fishCompletion(places: readonly Place[]): string {
  const lines = places.flatMap((place) => [
    ...place.words.map(
      ({ word, description }) =>
        `complete -c minutebook -n ${condition(place)} -f -a ${word} -d ${fishQuoted(description)}`,
    ),
    ...place.options.map(
      (flag) =>
        `complete -c minutebook -n ${condition(place)} -l ${flag.word.slice(2)} -d ${fishQuoted(flag.description)}${valueOf(flag)}`,
    ),
  ])
  return `# Completion of the minutebook command for fish.
function __minutebook_at
    set -l words (commandline -opc)[2..]
    set -l at
    for word in $words
        contains -- "$at|$word" ${places
          .filter(({ path }) => path.length > 0)
          .map(({ path }) => fishQuoted(`${path.slice(0, -1).join(' ')}|${path.at(-1)}`))
          .join(' ')}
        and set at (string trim "$at $word")
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}

function condition({ path }: Place): string {
  return fishQuoted(`__minutebook_at "${path.join(' ')}"`)
}

function valueOf({ takesValue, choices }: Flag): string {
  if (!takesValue) return ''
  return choices.length === 0 ? ' -r' : ` -x -a ${fishQuoted(choices.join(' '))}`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`
}

/** The lines, for bash and for zsh, that go from a place to the next one by a word. */
function placeCases(places: readonly Place[]): string {
  const steps = places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      '${path.slice(0, -1).join(' ')}|${path.at(-1)}') place='${path.join(' ')}' ;;`)
  return `    case "$place|$word" in\n${steps.join('\n')}\n    esac`
}
