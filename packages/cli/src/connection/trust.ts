import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { confirm, isCancel } from '@clack/prompts'
import { dataFolder, printable, printableLine, type FoundFile } from '@minutebook/server'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, shellWord } from '../terminal/text.ts'

/**
 * Whether the settings that are in the working directory are to be used. They can start programs and send chats
 * anywhere, so a person is asked once for each file and each text of it. The answer is kept in the person's own data
 * folder: nothing in the working directory can change it. If no person can be asked, only what was trusted before is.
 */
export async function trusted(terminal: Terminal, file: FoundFile): Promise<boolean> {
  const list = listFile(terminal)
  if (readList(list).some(([path, hash]) => path === file.path && hash === hashOf(file))) return true
  const { input, errors } = terminal
  if (input.isTTY !== true || errors.isTTY !== true) return false
  terminal.remark(
    [
      `${printableLine(file.path)} has settings that you have not used before:`,
      ...linesOf(file).map((line) => `  ${line}`),
    ].join('\n'),
  )
  const answer = await confirm({
    message: 'Use them, now and until the file changes?',
    initialValue: false,
    input,
    output: errors,
  })
  if (isCancel(answer) || !answer) return false
  remember(list, file)
  return true
}

/** A path and the SHA-256 of the text that was trusted there. */
type TrustedFile = readonly [path: string, hash: string]

/** Always in the person's own data folder: a folder that came with the settings could bring its own list. */
function listFile({ environment }: Terminal): string {
  return join(dataFolder(environment), 'trusted.json')
}

function readList(list: string): readonly TrustedFile[] {
  try {
    return Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, string>>)
  } catch {
    return []
  }
}

function remember(list: string, file: FoundFile): void {
  const others = readList(list)
    .filter(([path]) => path !== file.path)
    .slice(1 - mostFiles)
  const draft = `${list}.${process.pid}`
  mkdirSync(dirname(list), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(Object.fromEntries([...others, [file.path, hashOf(file)]]), null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  renameSync(draft, list)
}

/** The one that was trusted first is forgotten first. */
const mostFiles = 1000

function hashOf({ text }: FoundFile): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * What the settings would do that could be harmful, and the names of the other settings. If that is too long to read
 * here, a line says how much is missing, and the last one how to read it.
 */
function linesOf({ fields, path }: FoundFile): readonly string[] {
  const harmful: readonly (readonly [
    field: string,
    says: string,
    value: (setting: Readonly<Record<string, unknown>>) => unknown,
  ])[] = [
    ['mcp', 'starts or connects to', ({ command, url }) => (Array.isArray(command) ? commandLine(command) : url)],
    ['upstreams', 'sends chats to', ({ url }) => url],
    ['tools', 'sends tool calls to', ({ url }) => url],
    ['webhooks', 'tells of calls that wait', ({ url }) => url],
    ['telemetry', 'sends spans to', ({ endpoint }) => endpoint],
    ['data', 'keeps the record in', ({ itself }) => itself],
    ['database', 'keeps the record in', () => 'a Postgres database'],
    ['host', 'listens on', ({ itself }) => itself],
    ['keys', 'accepts the key', ({ name }) => name],
    ['allowOrigins', 'accepts web pages of', ({ itself }) => itself],
    ['allowHosts', 'accepts the host name', ({ itself }) => itself],
  ]
  const effects = harmful.flatMap(([field, says, value]) =>
    eachOf(fields[field]).map((setting) => `${says} ${escaped(value(setting))}`),
  )
  const others = Object.keys(fields).filter((name) => !harmful.some(([field]) => field === name))
  const lines = [
    ...effects.slice(0, mostLines),
    ...(effects.length > mostLines ? [`and ${effects.length - mostLines} more like these, which are not shown`] : []),
    ...(others.length > 0 ? [`sets ${escaped(others.join(', '))}`] : []),
  ]
  const isWhole = effects.length <= mostLines && lines.every((line) => line.length <= mostCharacters)
  return isWhole
    ? lines
    : [...lines.map(shortened), `To read the rest before you answer: less ${shellWord(printableLine(path))}`]
}

const mostLines = 20
const mostCharacters = 1000

function shortened(line: string): string {
  const missing = line.length - mostCharacters
  return missing <= 0 ? line : `${line.slice(0, mostCharacters)}… (${counted(missing, 'more character')} not shown)`
}

/** A setting may be one value or a list. A plain text is short for an object with only that field. */
function eachOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => eachOf(each))
  return typeof value === 'object' ? [value as Readonly<Record<string, unknown>>] : [{ itself: value, url: value }]
}

/** On one line, with nothing left out: a line break in a command can end a comment. */
function escaped(value: unknown): string {
  if (typeof value !== 'string') return '(cannot be read)'
  return printable(value).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function commandLine(words: readonly unknown[]): string {
  return words.map((word) => shellWord(String(word))).join(' ')
}
