import type { ASTNode } from '@marcbachmann/cel-js'
import type { Value } from '@minutebook/experiment/run'
import { list, whole } from './assert.ts'
import { type Build, type Code, evaluationError, Mistake, type Scope } from './code.ts'
import { mayBe, type Type, typeName, typeOf } from './type.ts'

/** `stock.lemons` */
export function buildField(node: ASTNode, owner: ASTNode, name: string, scope: Scope, build: Build): Code {
  const of = build(owner, scope)
  if (!mayBe(of.type, 'map'))
    throw new Mistake(
      `there is no field "${name}" in ${typeName(of.type)}`,
      of.type === 'list' ? `write its place in brackets, such as [0]` : 'only a map has fields',
      node.pos,
    )
  const type = knownField(node, owner, name, scope)
  return { type, size: of.size + 1, run: (frame) => fieldOf(of.run(frame), name) }
}

/** `prices[0]`, `stock["lemons"]` */
export function buildItem(node: ASTNode, [owner, key]: readonly [ASTNode, ASTNode], scope: Scope, build: Build): Code {
  const [of, at] = [build(owner, scope), build(key, scope)]
  if (key.op === 'value' && typeof key.args === 'string' && of.type === 'map')
    return { ...buildField(node, owner, key.args, scope, build) }
  const fits = (mayBe(of.type, 'list') && mayBe(at.type, 'number')) || (mayBe(of.type, 'map') && mayBe(at.type, 'text'))
  if (!fits)
    throw new Mistake(
      `cannot look up ${typeName(at.type)} in ${typeName(of.type)}`,
      'write the place of an item (from 0), or the name of a field',
      node.pos,
    )
  return { type: 'unknown', size: of.size + at.size + 1, run: (frame) => itemOf(of.run(frame), at.run(frame)) }
}

/** `has(stock.lemons)` */
export function buildHas(node: ASTNode, args: readonly ASTNode[], scope: Scope, build: Build): Code {
  const [asked] = args
  if (asked?.op !== '.' || args.length !== 1)
    throw new Mistake('has() asks for a field', 'write it such as "has(stock.lemons)"', node.pos)
  const [owner, name] = asked.args
  const of = build(owner, scope)
  if (!mayBe(of.type, 'map'))
    throw new Mistake(`there is no field "${name}" in ${typeName(of.type)}`, 'only a map has fields', asked.pos)
  knownField(asked, owner, name, scope)
  return { type: 'boolean', size: of.size + 1, run: (frame) => has(of.run(frame), name) }
}

/** If all fields are known, any other field is a mistake. */
function knownField(node: ASTNode, owner: ASTNode, name: string, { variables, locals }: Scope): Type {
  const fields = owner.op === 'id' && !locals.has(owner.args) ? variables.get(owner.args)?.fields : undefined
  if (!fields) return 'unknown'
  const type = fields.get(name)
  if (type !== undefined) return type
  throw new Mistake(
    `there is no "${name}" in ${owner.op === 'id' ? owner.args : 'it'}`,
    { name, known: [...fields.keys()] },
    node.pos,
  )
}

function itemOf(owner: Value, key: Value): Value {
  if (typeof key === 'string') return fieldOf(owner, key)
  const items = list(owner)
  const place = whole(key)
  const found = items[place]
  if (found === undefined)
    throw evaluationError(
      `there is no item ${place} in a list of ${items.length}`,
      'count from 0, and ask for size() first',
    )
  return found
}

/** Nothing that a value inherits is a field of it. */
function fieldOf(owner: Value, name: string): Value {
  if (!has(owner, name))
    throw evaluationError(
      `there is no field "${name.slice(0, 64)}" in ${typeName(typeOf(owner))}`,
      'ask for it with has() first',
    )
  return (owner as Readonly<Record<string, Value>>)[name] ?? null
}

function has(owner: Value, name: string): boolean {
  return typeOf(owner) === 'map' && Object.hasOwn(owner as object, name)
}
