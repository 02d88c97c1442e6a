import { checkDefinition, type Definition, definitionValue, mcpToolName, readExperiment } from '@minutebook/experiment'
import type { Value } from '@minutebook/experiment/run'
import { type Config, createMcpServers, mergePatch } from '@minutebook/server'
import { InvalidArgumentError } from 'commander'
import { MinutebookError } from 'minutebook'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'

/** An experiment that was read from a file and checked. */
export interface ExperimentFile {
  readonly definition: Definition
  /** The folder of its tool modules. */
  readonly folder: string
  /** The text of the file. */
  readonly text: string
}

/** `registered`: the names of the tools that exist where it runs. `changes`: fields that override the file. */
export async function readExperimentFile(
  file: string,
  {
    registered: known,
    changes,
  }: {
    readonly registered: readonly string[] | ((text: string) => readonly string[])
    readonly changes?: Value | undefined
  },
): Promise<ExperimentFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new MinutebookError(
      'no_file',
      `The file ${file} cannot be read (${error.code ?? 'unknown'}).`,
      'Name a file that describes an experiment, for example stand.yaml.',
      { file },
    )
  })
  const registered = typeof known === 'function' ? known(`${text}\n${JSON.stringify(changes ?? null)}`) : known
  const folder = dirname(resolve(file))
  const read = readExperiment(text, { source: file, registered, image: (path) => imageIn(folder, path) })
  const definition =
    changes === undefined ? read : checkDefinition(mergePatch(definitionValue(read), changes), { registered })
  return { definition, folder, text }
}

/** The data URL of an image in the folder of an experiment, or below it. */
function imageIn(folder: string, path: string): string {
  const imageError = (why: string): MinutebookError =>
    new MinutebookError(
      'invalid_image',
      `The image ${path} ${why}.`,
      'Name a PNG, JPEG, WebP or GIF of at most 500,000 bytes in the folder of the experiment.',
      { path },
    )
  let bytes: Buffer
  try {
    const [root, file] = [realpathSync(folder), realpathSync(resolve(folder, path))]
    if (!file.startsWith(root + sep)) throw imageError('is not in the folder of the experiment')
    if (statSync(file).size > longestImage) throw imageError('is too large')
    bytes = readFileSync(file)
  } catch (error) {
    throw MinutebookError.isInstance(error) ? error : imageError('cannot be read')
  }
  const type = imageTypes.find(([, begins]) => begins.test(bytes.subarray(0, 12).toString('latin1')))?.[0]
  if (type === undefined) throw imageError('is not an image that models read')
  return `data:image/${type};base64,${bytes.toString('base64')}`
}

const longestImage = 500_000
/** By the first bytes of a file. */
const imageTypes: readonly (readonly [type: string, begins: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
]

/**
 * The names of the tools that the settings register, without starting or asking anything. For an MCP server without a
 * list, every word in the text of the experiment that begins with the server's name.
 */
export function namedIn({ tools, mcp }: Pick<Config, 'tools' | 'mcp'>, text: string): readonly string[] {
  const listed = mcp.flatMap(({ name, tools: own = [] }) => own.map((tool) => mcpToolName(name, tool)))
  const words = new Set(text.match(/[\w-]+/g))
  return [
    ...tools.map(({ name }) => name),
    ...listed,
    ...[...words].filter((word) =>
      mcp.some(({ name, tools: own }) => own === undefined && word.startsWith(mcpToolName(name, ''))),
    ),
  ]
}

/** The names of the tools that the settings register. Starts and asks their MCP servers. */
export async function registeredIn({ tools, mcp }: Pick<Config, 'tools' | 'mcp'>): Promise<readonly string[]> {
  const servers = createMcpServers(mcp)
  try {
    return [...tools.map(({ name }) => name), ...(await servers.all()).map(({ name }) => name)]
  } finally {
    await servers.close()
  }
}

/**
 * Adds a setting such as `participants.ann.model=gemma3:12b` to changes. A value that is not JSON is a text.
 *
 * @example
 * withSetting('limits.rounds=5', {}) // { limits: { rounds: 5 } }
 */
export function withSetting(text: string, before: Value = {}): Value {
  const at = text.indexOf('=')
  const path = text.slice(0, Math.max(0, at)).split('.')
  if (at < 1 || path.includes('') || path.includes('__proto__'))
    throw new InvalidArgumentError('Write it like participants.ann.model=gemma3:12b.')
  const change = path.reduceRight<Value>((inner, name) => ({ [name]: inner }), valueOf(text.slice(at + 1)))
  return joined(before, change)
}

/** Unlike in a merge patch, null stays: it removes a field later. */
function joined(before: Value, change: Value): Value {
  if (!isMap(before) || !isMap(change)) return change
  const fields = Object.entries(change).map(
    ([name, value]) => [name, name in before ? joined(before[name] ?? null, value) : value] as const,
  )
  return { ...before, ...Object.fromEntries(fields) }
}

function valueOf(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    return text
  }
}

function isMap(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
