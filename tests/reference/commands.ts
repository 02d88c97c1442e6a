// The page of all commands, from what commander knows of them.
import { commands, type CommandEntry } from '../../packages/cli/src/commands/commands.ts'
import { wholeProgram, type Command } from '../../packages/cli/test/support/program.ts'
import { code, page, plain, table } from './markdown.ts'
import { textsOf } from './texts.ts'

export async function commandsPage(): Promise<string> {
  const remarks = textsOf<Readonly<Record<string, string>>>('commands')
  const program = await wholeProgram()
  const groups = [...new Set(commands.map(({ group }) => group))]
  const known = new Map(commands.map(({ name, ...entry }) => [name, { name, ...entry }]))
  const left = Object.keys(remarks).filter((name) => !known.has(name))
  if (left.length > 0) throw new Error(`docs/reference/texts/commands.yaml: there is no command ${left.join(', ')}.`)
  const ofName = (name: string): Command => program.commands.find((command) => command.name() === name)!
  const parts = groups.flatMap((group) => [
    `## ${headings[group]}`,
    ...commands
      .filter((entry) => entry.group === group)
      .flatMap((entry) => sectionsOf(ofName(entry.name), entry, remarks[entry.name])),
  ])
  return page('Commands', introduction, [where(ofName('show')), ...parts])
}

type Argument = Command['registeredArguments'][number]
type Option = Command['options'][number]

const headings: Readonly<Record<CommandEntry['group'], string>> = {
  Look: 'Look at the record',
  Talk: 'Chat and change threads',
  Experiments: 'Run experiments',
  Operate: 'Operate',
}

const introduction = `Every command of \`minutebook\`, with its options and their defaults. \`minutebook help COMMAND\` prints the same. [The tutorial](../first-hour.md) shows them in use, and [the README of the command](../../packages/cli/README.md) says where the record is and what programs can rely on.

A thread or an entry is named by its id or by the first characters of the id. The default is the newest thread, except for \`erase\`, which needs the full id, and \`pin\` and \`rate\`, which need both. \`[file]\` is a file that the library wrote, such as \`minutebook explain chat.db\`. It is only read, also while its program writes to it.`

/** The options that most commands share, once. */
function where(command: Command): string {
  const shared = command.options.filter(isShared)
  return [
    '## Options for the record',
    'Most commands take these options. They say where the record is: in the data folder of your user, unless you name another place.',
    table(
      ['option', 'meaning'],
      shared.map((option) => [code(option.flags), plain(option.description)]),
    ),
  ].join('\n\n')
}

const sharedFlags: ReadonlySet<string> = new Set([
  '--data',
  '--database',
  '--config',
  '--no-config',
  '--server',
  '--key',
  '--json',
  '--tenant',
])

/** The tenant of a key is something else. */
function isShared({ long, description }: Option): boolean {
  return sharedFlags.has(long ?? '') && (long !== '--tenant' || description.startsWith('whose threads'))
}

function sectionsOf(command: Command, { name, example, reads }: CommandEntry, remark?: string): string[] {
  const usage = usageOf(command, `minutebook ${name}${reads ? ' [file]' : ''}`)
  return [
    `### minutebook ${name}`,
    sentence(command.description()),
    ...(remark === undefined ? [] : [remark.trim()]),
    `\`\`\`sh\nminutebook ${example}\n\`\`\``,
    ...partsOf(command, usage),
    ...command.commands.flatMap((below) => [
      `#### minutebook ${name} ${below.name()}`,
      sentence(below.description() || command.description()),
      ...partsOf(below, usageOf(below, `minutebook ${name} ${below.name()}`)),
    ]),
  ]
}

function usageOf(command: Command, name: string): string {
  const words = [
    name,
    ...(command.options.length > 0 ? ['[options]'] : []),
    ...(command.commands.length > 0 ? ['[command]'] : []),
    ...command.registeredArguments
      .map((argument) => command.createHelp().argumentTerm(argument))
      .map(bracketed(command)),
  ]
  return words.join(' ')
}

/** `[thread]` or `<thread>`, as commander writes it. */
function bracketed(command: Command): (term: string, at: number) => string {
  return (term, at) => {
    const { required, variadic } = command.registeredArguments[at]!
    const name = `${term}${variadic ? '...' : ''}`
    return required ? `<${name}>` : `[${name}]`
  }
}

/** Usage, arguments and options. */
function partsOf(command: Command, usage: string): string[] {
  const own = command.options.filter((option) => !isShared(option) && !option.hidden)
  const rows = [
    ...command.registeredArguments.map((argument) => rowOf(command.createHelp().argumentTerm(argument), argument)),
    ...own.map((option) => rowOf(option.flags, option)),
  ]
  const shared = command.options.filter(isShared).map(({ long = '' }) => code(long))
  return [
    `\`\`\`text\n${usage}\n\`\`\``,
    ...(rows.length > 0 ? [table(['argument or option', 'meaning', 'default'], rows)] : []),
    ...(shared.length > 0 ? [alsoTakes(shared, own)] : []),
  ]
}

/** Named one by one if they are not all of them. */
function alsoTakes(shared: readonly string[], own: readonly Option[]): string {
  const link = '[options for the record](#options-for-the-record)'
  if (shared.length === sharedFlags.size) return `It also takes the ${link}.`
  if (shared.length === sharedFlags.size - 1 && !shared.includes(code('--tenant')))
    return own.some(({ long }) => long === '--tenant')
      ? `It also takes the other ${link}.`
      : `It also takes the ${link}, except for ${code('--tenant')}.`
  const names = shared.length === 1 ? shared[0] : `${shared.slice(0, -1).join(', ')} and ${shared.at(-1)}`
  return `Of the ${link}, it takes ${names}.`
}

function rowOf(
  term: string,
  { description, defaultValue, defaultValueDescription, argChoices }: Argument | Option,
): string[] {
  const [, text = description, told] = /^(.*?) \(default: (.*)\)$/.exec(description) ?? []
  const choices = argChoices ? `: ${argChoices.map(code).join(', ')}` : ''
  return [
    code(term),
    plain(`${text}${choices}`),
    told === undefined ? shown(defaultValueDescription ?? defaultValue) : plain(told),
  ]
}

function shown(value: unknown): string {
  if (value === undefined || typeof value === 'boolean') return ''
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? plain(text) : `${plain(text)}.`
}
