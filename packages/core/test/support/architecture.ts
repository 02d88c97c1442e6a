import { codeOf, importsOf } from '../../../../tests/support/code.ts'
import { folderOf, importsWithin, resolve, type Sources } from '../../../../tests/support/house-rules.ts'

/** Which folders a folder may import from, beside itself. A folder that is not here has no place yet. */
const directions: Readonly<Record<string, readonly string[]>> = {
  log: [],
  tokens: ['log'],
  models: ['log'],
  state: ['log'],
  compiler: ['log', 'tokens', 'state'],
  past: ['log', 'compiler'],
  receipts: ['log', 'tokens', 'models', 'compiler', 'past'],
  turns: ['log', 'tokens', 'models', 'state', 'compiler', 'past', 'receipts'],
  relay: ['log', 'tokens', 'models', 'compiler', 'past', 'receipts', 'turns'],
  watch: ['log', 'past', 'turns'],
  book: ['log', 'tokens', 'models', 'state', 'compiler', 'past', 'receipts', 'turns', 'relay', 'watch', 'clock.ts'],
}

/**
 * Files with a subpath of their own that translate to a tokenizer of another package: they import that package, and of
 * core only types.
 */
const tokenizers: ReadonlySet<string> = new Set([
  'tokens/gpt-tokenizer.ts',
  'tokens/huggingface.ts',
  'tokens/count-pieces.ts',
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
  'context.ts',
  'clock.ts',
  'platform.d.ts',
  'state/seal.ts',
  'log/sha256-node.ts',
])
const mayUsePlatform = (file: string): boolean => platformFiles.has(file)

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
  ['crypto.', /(?<![\w$.])crypto\s*[.[]/],
]

/** What holds for core alone, beside the rules for every package: a finding is one line that says where and what. */
export const checks: Readonly<Record<string, (sources: Sources) => string[]>> = {
  'imports point one way': wrongDirections,
  'no packages and no node: modules': foreignImports,
  'no clock, dice or world': worldly,
  'no any': anys,
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
      } else if (specifier === '#sha256') continue
      else if (!specifier.startsWith('.')) {
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

const eachLine = (code: string): [line: number, code: string][] =>
  code.split('\n').map((line, index) => [index + 1, line])
