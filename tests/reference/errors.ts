// The page of all error codes: what a person wrote of each, with where the sources have it.
import { codesInSources, type FoundCode } from './error-codes.ts'
import { code, page } from './markdown.ts'
import { compareNames, textsOf } from './texts.ts'

interface Words {
  readonly cause: string
  readonly fix: string
}

export function errorsPage(): string {
  const groups = textsOf<Readonly<Record<string, Readonly<Record<string, Words>>>>>('errors')
  const found = codesInSources()
  compareNames('errors', found.keys(), Object.values(groups).flatMap(Object.keys))
  const count = found.size
  return page(
    'Error codes',
    introduction(count),
    Object.entries(groups).flatMap(([group, codes]) => [
      `## ${group}`,
      ...Object.entries(codes).map(([name, words]) => entry(found.get(name)!, words)),
    ]),
  )
}

const introduction = (count: number): string =>
  `Every error of Minutebook has a \`code\` for programs, a text that says what is wrong, and in most cases a \`fix\`. These are all ${count} codes, with their causes. The text of an error is more exact than this page, because it names the field, file or model. In the library, errors are \`MinutebookError\` with \`code\`, \`problem\`, \`fix\` and \`details\`; over HTTP they are \`{ "error": { "code", "message", "fix" } }\`. A turn without an answer has its code in \`reason\`.`

function entry({ code: name, packages, statuses }: FoundCode, { cause, fix }: Words): string {
  const status = [...statuses].toSorted((one, other) => one - other).join(' or ')
  const facts = [
    `In ${[...packages].toSorted().map(packageName).map(code).join(', ')}`,
    ...(status === '' ? [] : [`HTTP status ${status}`]),
  ]
  return [`### ${name}`, cause, `**Fix:** ${fix}`, `${facts.join('. ')}.`].join('\n\n')
}

function packageName(folder: string): string {
  return folder === 'core' ? 'minutebook' : `@minutebook/${folder}`
}
