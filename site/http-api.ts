// What can be asked over HTTP? A page for each group of operations in openapi.json, and one for all of its types.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cell, fieldTable, meaningOf, schemasFile, typeText, type JsonSchema } from './json-schema.ts'
import { root, type Page } from './pages.ts'

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly 'x-minutebook-scope': string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Contents }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

type Contents = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>

/** The document, as it is loaded from the site. */
export const documentFile = 'docs/reference/openapi.json'

export function httpPages(): Page[] {
  const document = JSON.parse(readFileSync(join(root, documentFile), 'utf8')) as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const groups = document.tags.map(({ name, description }, index) => {
    const sections = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => operationText(method, path, operation))
    const title = `HTTP: ${name}`
    return { name: `reference/http/${name}`, title, order: index + 1, text: pageText(title, description, sections) }
  })
  return [...groups, schemasPage(document)]
}

function pageText(title: string, description: string, sections: readonly string[]): string {
  const says = `${description} [HTTP API](../../api.md) explains keys, turns and streams. [openapi.json](/reference/openapi.json) has the same for programs.`
  return `# ${title}\n\n${says}\n\n${sections.join('\n\n')}\n`
}

function operationText(method: string, path: string, operation: Operation): string {
  const results = Object.entries(operation.responses)
  const parts = [
    `## ${operation.summary}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    `Scope: \`${operation['x-minutebook-scope']}\`. Operation: \`${operation.operationId}\`.`,
    operation.description ?? '',
    parameterTable(operation.parameters ?? []),
    bodyText(operation.requestBody?.content),
    ...results
      .filter(([status]) => status < '300')
      .map(([status, { description, content }]) => {
        return `**Answer ${status}**: ${description}\n\n${contentText(content ?? {})}`
      }),
    errorTable(results.filter(([status]) => status >= '300').map(([status, { description }]) => [status, description])),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const says = meaningOf({ ...schema, description: schema.description ?? description ?? '' })
    const optional = required === true ? '' : ' (optional)'
    return `| \`${name}\` | ${place}${optional} | ${cell(typeText(schema))} | ${says} |`
  })
  return `**Parameters**\n\n| name | in | type | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}

function bodyText(content: Contents | undefined): string {
  return content === undefined ? '' : `**Body**\n\n${contentText(content)}`
}

function contentText(content: Contents): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const head = `- \`${type}\`: ${schema === undefined ? 'no schema' : typeText(schema)}`
      const fields = schema === undefined || schema.$ref !== undefined ? '' : fieldTable(schema)
      return [head, fields, exampleText(type, example)].filter((part) => part !== '').join('\n\n')
    })
    .join('\n\n')
}

function exampleText(type: string, example: unknown): string {
  if (example === undefined) return ''
  const isText = typeof example === 'string'
  const text = isText ? example.trimEnd() : JSON.stringify(example, null, 2)
  return `\`\`\`${isText && type !== 'application/json' ? 'text' : 'json'}\n${text}\n\`\`\``
}

/** A row for each code: a description has them as paragraphs that begin with the code. */
function errorTable(errors: readonly (readonly [status: string, description: string])[]): string {
  const rows = errors.flatMap(([status, description]) =>
    description.split('\n\n').map((line) => {
      const [, code = '', says = line] = /^(`[^`]+`): ([\s\S]*)$/.exec(line) ?? []
      return `| ${status} | ${code} | ${cell(says)} |`
    }),
  )
  return `::: details Errors\n\n| status | code | meaning |\n|---|---|---|\n${rows.join('\n')}\n\n:::`
}

function schemasPage({ components }: Document): Page {
  const sections = Object.entries(components.schemas)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, schema]) => {
      const parts = [`## ${name}`, schema.description ?? '', fieldTable(schema) || `Type: ${typeText(schema)}.`]
      return parts.filter((part) => part !== '').join('\n\n')
    })
  const text = pageText('HTTP: types', 'What requests and answers are made of.', sections)
  return { name: `reference/http/${schemasFile.replace('.md', '')}`, title: 'HTTP: types', order: 99, text }
}
