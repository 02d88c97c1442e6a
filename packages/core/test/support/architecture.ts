import { posix } from 'node:path'
import { codeOf, importsOf } from './code.ts'

/** Path below src, with forward slashes, and its text. */
export type Sources = ReadonlyMap<string, string>

/** Which folders a folder may import from, beside itself. A folder that is not here has no place yet. */
export const directions: Readonly<Record<string, readonly string[]>> = {
  log: [],
  tokens: ['log'],
  models: ['log'],
  state: ['log'],
  truncation: ['tokens', 'models'],
  compiler: ['log', 'tokens'],
  receipts: ['log', 'tokens', 'models', 'truncation', 'compiler'],
  turns: ['log', 'tokens', 'models', 'state', 'truncation', 'compiler', 'receipts'],
  relay: ['log', 'tokens', 'models', 'truncation', 'compiler', 'receipts', 'turns'],
  watch: ['log', 'turns'],
  book: [
    'log',
    'tokens',
    'models',
    'state',
    'truncation',
    'compiler',
    'receipts',
    'turns',
    'relay',
    'watch',
    'clock.ts',
  ],
}

/**
 * Files with a subpath of their own that translate to a tokenizer of another package: they import that package, and of
 * core only types.
 */
const tokenizers: ReadonlySet<string> = new Set([
  'tokens/gpt-tokenizer.ts',
  'tokens/huggingface.ts',
  'tokens/byte-pieces.ts',
])
/** Files with a subpath of their own that take a client of another package: they import its types. */
const clients: ReadonlySet<string> = new Set(['models/ollama.ts', 'models/openai.ts'])
/**
 * Files that may use the platform: `node:` modules, the clock, the network. `sha256-node.ts` is chosen by `imports` in
 * package.json.
 */
const platformFiles: ReadonlySet<string> = new Set([
  'models/ollama.ts',
  'models/openai.ts',
  'models/server-call.ts',
  'context.ts',
  'clock.ts',
  'platform.d.ts',
  'log/sha256-node.ts',
])
const mayUsePlatform = (file: string): boolean => platformFiles.has(file)

const longest = 400
/** A shorter file lives in the file that imports it, if it has no reason to be one. */
const shortest = 40
const shortFiles: Readonly<Record<string, string>> = {
  'index.ts': 'an entry point',
  'store.ts': 'an entry point',
  'wire.ts': 'an entry point',
  'inspect.ts': 'an entry point',
  'platform.d.ts': 'the few types of the platform that core may know',
  'log/clock.ts': 'a port that others implement',
  'log/hash.ts': 'chosen by `imports` in package.json',
  'log/sha256-node.ts': 'chosen by `imports` in package.json',
  'log/steps.ts': 'more than eight files import it',
  'tokens/gpt-tokenizer.ts': 'an entry point',
}
/** The file that tells the story of its folder is named as the folder, or as one of what it is full of. */
const stories: Readonly<Record<string, string>> = {
  compiler: 'compile',
  models: 'model',
  receipts: 'receipt',
  turns: 'turn',
}
/** Names that say nothing, and our own words that nobody could guess. */
const forbiddenNames: ReadonlySet<string> = new Set(
  'utils util helpers helper misc common shared types stuff manner lanes found heard told alone driven holding running standing glances stir ladder'.split(
    ' ',
  ),
)

/** What a calculator has no use for: it is given the time, the dice and the world. */
const world: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now', /(?<![\w$.])Date\s*\.\s*now\b/],
  ['new Date(', /\bnew\s+Date\b/],
  ['Math.random', /(?<![\w$.])Math\s*\.\s*random\b/],
  ['process.', /(?<![\w$.])process\s*[.[]/],
  ['globalThis', /(?<![\w$.])globalThis\b/],
  ['console.', /(?<![\w$.])console\s*[.[]/],
  ['setTimeout', /(?<![\w$.])setTimeout\b/],
  ['performance.', /(?<![\w$.])performance\s*[.[]/],
]

/** Every check: a finding is one line that says where and what. */
export const checks: Readonly<Record<string, (sources: Sources) => string[]>> = {
  'no import cycles, types included': cycles,
  'imports point one way': wrongDirections,
  'no packages and no node: modules': foreignImports,
  'no clock, dice or world': worldly,
  'no any': anys,
  'no file past 400 lines': longFiles,
  'no file under 40 lines without a reason': needlessFiles,
  'every folder has a file that tells its story': foldersWithoutStory,
  'no file name that nobody can guess': unguessableNames,
}

export function cycles(sources: Sources): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) found.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { target } of importsWithin(file, sources)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return found
}

export function wrongDirections(sources: Sources): string[] {
  const found: string[] = []
  for (const file of sources.keys()) {
    if (!file.includes('/')) continue
    const folder = folderOf(file)
    const allowed = directions[folder]
    if (allowed === undefined) {
      found.push(`${file}: "${folder}" has no place in the table of directions`)
      continue
    }
    for (const { target, line, typeOnly } of importsWithin(file, sources)) {
      if (tokenizers.has(file) && !tokenizers.has(target) && !typeOnly)
        found.push(`${file}:${line}: may import only types of ${target}`)
      const other = folderOf(target)
      if (other === folder) continue
      if (!allowed.includes(other)) found.push(`${file}:${line}: ${folder} may not import ${other} (${target})`)
    }
  }
  return found
}

export function foreignImports(sources: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of sources) {
    for (const { specifier, line, typeOnly } of importsOf(text)) {
      const at = `${file}:${line}`
      if (specifier === '<computed>') found.push(`${at}: imports a computed name`)
      else if (specifier.startsWith('node:')) {
        if (!mayUsePlatform(file)) found.push(`${at}: imports ${specifier}`)
      } else if (specifier === '#sha256') {
        if (file !== 'log/hash.ts') found.push(`${at}: imports ${specifier}, which log/hash.ts is for`)
      } else if (!specifier.startsWith('.')) {
        if (!tokenizers.has(file) && !(clients.has(file) && typeOnly))
          found.push(`${at}: imports the package ${specifier}`)
      } else if (!sources.has(resolve(file, specifier)))
        found.push(`${at}: imports ${specifier}, which is not a file of src`)
    }
  }
  return found
}

export function worldly(sources: Sources): string[] {
  const tested = [...sources].filter(([file]) => !mayUsePlatform(file))
  return tested.flatMap(([file, text]) =>
    eachLine(codeOf(text)).flatMap(([line, code]) =>
      world.filter(([, pattern]) => pattern.test(code)).map(([name]) => `${file}:${line}: uses ${name}`),
    ),
  )
}

export function anys(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    eachLine(codeOf(text))
      .filter(([, code]) => /(?<![\w$.])any\b/.test(code))
      .map(([line]) => `${file}:${line}: any`),
  )
}

export function longFiles(sources: Sources): string[] {
  const lengths = [...sources].map(([file, text]) => [file, text.replace(/\n$/, '').split('\n').length] as const)
  return lengths.filter(([, lines]) => lines > longest).map(([file, lines]) => `${file}: ${lines} lines`)
}

export function needlessFiles(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const lines = text.replace(/\n$/, '').split('\n').length
    return lines < shortest && !Object.hasOwn(shortFiles, file)
      ? [`${file}: ${lines} lines; put it into the file that imports it`]
      : []
  })
}

export function foldersWithoutStory(sources: Sources): string[] {
  const folders = new Set([...sources.keys()].filter((file) => file.includes('/')).map(folderOf))
  const storyOf = (folder: string): string => `${folder}/${stories[folder] ?? folder}.ts`
  return [...folders]
    .filter((folder) => !sources.has(storyOf(folder)))
    .map((folder) => `${folder}: has no ${storyOf(folder)}`)
}

export function unguessableNames(sources: Sources): string[] {
  const nameOf = (file: string): string => posix.basename(file).replace(/(?:\.d)?\.ts$/, '')
  return [...sources.keys()]
    .filter((file) => forbiddenNames.has(nameOf(file)))
    .map((file) => `${file}: nobody can guess what is in there`)
}

export interface Edge {
  readonly target: string
  readonly line: number
  readonly typeOnly: boolean
}

/** What a file imports of the files beside it, also what is not there. */
export function importsWithin(file: string, sources: Sources): Edge[] {
  return importsOf(sources.get(file) ?? '')
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line, typeOnly }) => ({ target: resolve(file, specifier), line, typeOnly }))
}

const resolve = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier)

/** The first folder of a path, or the file itself where it stands in src. */
export const folderOf = (file: string): string => file.split('/')[0] ?? file

const eachLine = (code: string): [line: number, code: string][] =>
  code.split('\n').map((line, index) => [index + 1, line])
