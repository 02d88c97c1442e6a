import type { Command, Option } from 'commander'

/** What can stand at a place of a command line. */
export interface Place {
  /** The commands before it: `[]` for the program itself, `['keys', 'create']` for that command. */
  readonly path: readonly string[]
  /** Commands, and what an argument can be. */
  readonly words: readonly Word[]
  readonly options: readonly Flag[]
}

export interface Word {
  readonly word: string
  readonly description: string
}

/** An option in its long form. */
export interface Flag extends Word {
  /** Whether a value follows. */
  readonly takesValue: boolean
  /** What the value can be; empty: anything, such as a file. */
  readonly choices: readonly string[]
}

/**
 * Every place of a program, from its own tree of commands: what is not there cannot be completed, and what is new is.
 */
export function placesOf(command: Command, path: readonly string[] = []): Place[] {
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
