// Which error codes are in the sources, in which packages, and with which HTTP status? Read from the sources of all
// packages, so that a new code is found without a line here.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { errorCodes } from '../../packages/server/src/api/error-codes.ts'
import { filesBelow, root } from '../support/workshop.ts'
import { nodesIn, type Node } from './syntax.ts'

export interface FoundCode {
  readonly code: string
  /** The folders of the packages that have it. */
  readonly packages: ReadonlySet<string>
  readonly statuses: ReadonlySet<number>
}

/** A code that a program puts together, and all that can become of it. A new one is an error until it has a line here. */
const templates: Readonly<Record<string, readonly string[]>> = {
  'invalid_${}': ['invalid_window', 'invalid_reserve'],
  'no_${}': ['no_subject', 'no_conversation'],
  '${}_not_found': ['response_not_found', 'conversation_not_found', 'item_not_found'],
}

/** What looks like a code and is not one that a user meets. */
const others: ReadonlySet<string> = new Set([
  // Wraps a refusal of `/v1/responses` on its way through the server.
  'unusable',
  // Of an issue of zod.
  'custom',
])

/** A model server for tests, which answers as such servers do. */
const imitation = 'testing/src/upstream/'

/** Every error code of the packages, by its name. They are read once. */
export function codesInSources(): ReadonlyMap<string, FoundCode> {
  return (known ??= readSources())
}

let known: ReadonlyMap<string, FoundCode> | undefined

function readSources(): ReadonlyMap<string, FoundCode> {
  const found = new Map<string, { code: string; packages: Set<string>; statuses: Set<number> }>()
  const add = (code: string, folder: string, status?: number): void => {
    if (others.has(code) || !/^[a-z]+(?:_[a-z]+)*$/.test(code)) return
    const one = found.get(code) ?? { code, packages: new Set(), statuses: new Set() }
    found.set(code, one)
    one.packages.add(folder)
    if (status !== undefined) one.statuses.add(status)
  }
  for (const folder of readdirSync(join(root, 'packages'))) {
    const sources = join(root, 'packages', folder, 'src')
    for (const file of filesBelow(sources).filter((name) => /\.tsx?$/.test(name))) {
      if (`${folder}/src/${file}`.startsWith(imitation)) continue
      const text = readFileSync(join(sources, file), 'utf8')
      if (!/MinutebookError|requestError|\bcode\b|'store_/.test(text)) continue
      for (const { code, status } of codesIn(text, file)) add(code, folder, status)
    }
  }
  for (const [code, { status }] of Object.entries(errorCodes)) add(code, 'server', status)
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

interface FoundHere {
  readonly code: string
  readonly status?: number
}

/** The codes in the text of one file: of errors, of refusals, and of turns that end without an answer. */
export function codesIn(text: string, file = 'a.ts'): FoundHere[] {
  const found: FoundHere[] = []
  for (const node of nodesIn(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))) {
    if (node.type === 'NewExpression' && node.callee?.name === 'MinutebookError')
      found.push(...valuesOf(node.arguments?.[0]).map((code) => ({ code })))
    else if (node.type === 'CallExpression') found.push(...passedOn(node))
    else if (node.type === 'ObjectExpression') found.push(...refusedWith(node))
    else if (node.type === 'VariableDeclarator' && node.id?.name === 'code')
      // Codes of the operating system have this name, too.
      found.push(...valuesOf(node.init).flatMap((code) => (code.includes('_') ? [{ code }] : [])))
    // Stores look such codes up by the number of a failure.
    else if (node.type === 'Literal' && /^(?:store_[a-z]+|not_a_store)$/.test(String(node.value)))
      found.push({ code: String(node.value) })
  }
  return found
}

/** Functions that make an error of a code which they are given: the position of that argument, and the status. */
const makers: Readonly<Record<string, { readonly at: number; readonly status?: number }>> = {
  requestError: { at: 3, status: 400 },
  fail: { at: 0 },
}

function passedOn({ callee, arguments: given = [] }: Node): FoundHere[] {
  const { at = -1, ...facts } = makers[callee?.name ?? ''] ?? {}
  const argument = given[at]
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? [{ code: argument.value, ...facts }] : []
}

/** `{ code, status, problem, fix }` of a refusal, or `{ code, reason }` of a turn without an answer. */
function refusedWith({ properties = [] }: Node): FoundHere[] {
  const fields = new Map(properties.map(({ key, value }) => [key?.name ?? String(key?.value), value as Node]))
  const says = ['problem', 'reason', 'message'].some((name) => fields.has(name))
  const status = Number(fields.get('status')?.value)
  if (!fields.has('code') || !(says || status >= 400)) return []
  return valuesOf(fields.get('code'))
    .filter((code) => code !== '')
    .map((code) => (status >= 400 ? { code, status } : { code }))
}

/** What an expression can be: a text, one of two, or all that a known template can become. */
function valuesOf(node: Node | undefined): readonly string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node?.type === 'ConditionalExpression') return [...valuesOf(node.consequent), ...valuesOf(node.alternate)]
  if (node?.type !== 'TemplateLiteral') return []
  const template = (node.quasis ?? []).map(({ value }) => (value as { readonly raw: string }).raw).join('${}')
  const values = templates[template]
  if (!values) throw new Error(`What can become of the code \`${template}\`? Write it into ${import.meta.filename}.`)
  return values
}
