import { type Document, isMap, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { type CheckOptions, examine } from './check/check.ts'
import type { Definition } from './definition.ts'
import { fieldName, invalidExperimentError, type Path, type Problem, type ToldFinding, toldOf } from './problem.ts'
import { isFields } from './plain-value.ts'
import { type YamlFault, yamlProblems } from './yaml-problem.ts'

/** How the text of an experiment is read. */
export interface ReadOptions extends CheckOptions {
  /** What the text is called in errors: the name of its file. */
  readonly source?: string | undefined
  /** Returns the data URL of an image that the text names as a file. Default: only data URLs are allowed. */
  readonly image?: ((path: string) => string) | undefined
}

/**
 * Reads an experiment from YAML or JSON. Throws `invalid_experiment` with everything that is wrong, each with its line,
 * field and fix.
 *
 * @example
 * const definition = readExperiment(await readFile('stand.yaml', 'utf8'), { source: 'stand.yaml' })
 */
export function readExperiment(text: string, { source, registered, image }: ReadOptions = {}): Definition {
  const yaml = readYaml(text)
  if (yaml.problems.length > 0)
    throw invalidExperimentError(yaml.problems.slice(0, mostProblems), source, yaml.problems.length)
  const { definition, findings } = examine(image ? withImages(yaml.value, image) : yaml.value, { registered })
  if (findings.length === 0) return definition
  const problems = toldOf(findings)
    .map((finding) => yaml.place(finding))
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0))
  throw invalidExperimentError(problems, source, findings.length)
}

const mostProblems = 100

/** The experiment with the images of its rounds as data URLs. What is not an experiment is left for the checks. */
function withImages(value: unknown, image: (path: string) => string): unknown {
  if (!isFields(value) || !Array.isArray(value['rounds'])) return value
  const loaded = (one: unknown): unknown => (typeof one === 'string' && !one.startsWith('data:') ? image(one) : one)
  const rounds = value['rounds'].map((round: unknown) =>
    isFields(round) && Array.isArray(round['images']) ? { ...round, images: round['images'].map(loaded) } : round,
  )
  return { ...value, rounds }
}

/** A parsed text, and the position of everything in it. */
interface YamlText {
  readonly value: unknown
  /** What keeps it from being YAML. */
  readonly problems: readonly Problem[]
  /** Looks for it from the root: not to be asked for each of many. */
  place(finding: ToldFinding): Problem
}

/** Reads YAML, of which JSON is a part. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter()
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const broken = (problem: string, fix: string, offset = 0): YamlText => ({
    value: undefined,
    problems: [{ ...at(offset), field: '', problem, fix }],
    place: ({ path, problem: what, fix: how }) => ({ ...at(0), field: fieldName(path), problem: what, fix: how }),
  })
  if (text.length > longest) return broken(`is longer than ${longest} characters`, 'shorten it')
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      schema: 'core',
      stringKeys: true,
      uniqueKeys: false,
    })
    const deep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
    if (deep) return broken('is nested too deep', 'write it flatter', deep.pos[0])
    const { doubled, aliases } = surveyOf(document)
    if (aliases > mostAliases) return broken(`has more than ${mostAliases} aliases`, 'write out what they mean')
    const problems = yamlProblems({ errors: [...document.errors, ...doubled], warnings: document.warnings }, text, at)
    const place = ({ path, isName = false, offset, problem, fix }: ToldFinding): Problem => ({
      ...at(placeOf(document, text, path, isName, offset)),
      field: fieldName(path),
      problem,
      fix,
    })
    return {
      value: problems.length > 0 ? undefined : (document.toJS({ maxAliasCount: mostAliases }) as unknown),
      problems,
      place,
    }
  } catch {
    // What nests without end, or repeats itself without end.
    return broken('is nested too deep, or repeats itself too often', 'write it flatter, with fewer aliases')
  }
}

const longest = 200_000
const mostAliases = 100

/**
 * Names that occur twice in a map, and how many aliases there are. The library would compare each name with all before
 * it, and search all anchors for each alias.
 */
function surveyOf(document: Document): { readonly doubled: readonly YamlFault[]; readonly aliases: number } {
  const doubled: YamlFault[] = []
  let aliases = 0
  visit(document, {
    Alias: () => void aliases++,
    Map: (_, { items }) => {
      const names = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (names.has(name) && isScalar(key) && key.range)
          doubled.push({ code: 'DUPLICATE_KEY', message: 'Map keys must be unique', pos: [key.range[0], key.range[1]] })
        names.add(name)
      }
    },
  })
  return { doubled, aliases }
}

/** The offset of what a path leads to; if it leads to nothing, of what is nearest to it. */
function placeOf(document: Document, text: string, path: Path, isName: boolean, offset: number | undefined): number {
  const last = path.at(-1)
  if (isName && typeof last === 'string') {
    const owner: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
    const pair = isMap(owner)
      ? owner.items.find((item) => isPair(item) && (isScalar(item.key) ? item.key.value : item.key) === last)
      : undefined
    const key = pair?.key as Node | undefined
    if (key?.range) return key.range[0]
  }
  const node = (path.length === 0 ? document.contents : document.getIn(path, true)) as Node | undefined
  if (!node?.range) return path.length === 0 ? 0 : placeOf(document, text, path.slice(0, -1), false, undefined)
  return node.range[0] + (offset === undefined ? 0 : inside(node, text, offset))
}

/** The offset of a character within a value on one line. */
function inside(node: Node, text: string, offset: number): number {
  if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return 0
  const written = text.slice(node.range[0], node.range[1])
  if (written === node.value) return offset
  return written.slice(1, -1) === node.value ? offset + 1 : 0
}
