import type { ASTNode } from '@marcbachmann/cel-js'
import type { Value } from '@minutebook/experiment/run'
import { finite, number, truth } from './assert.ts'
import { buildCall, buildMethod } from './call.ts'
import type { Code, Scope } from './code.ts'
import { buildField, buildItem } from './field.ts'
import { Mistake } from './code.ts'
import { operators } from './operator.ts'
import { mayBe, typeName, type Type } from './type.ts'

/** Checks a part of an expression and makes it ready to run. Throws a `Mistake`. */
export function build(node: ASTNode, outer: Scope): Code {
  if (outer.depth >= deepest)
    throw new Mistake('is nested too deep', 'split it: keep a part of it in a variable', node.pos)
  const scope = { ...outer, depth: outer.depth + 1 }
  switch (node.op) {
    case 'value':
      return constant(node.args, node)
    case 'id':
      return named(node.args, node, scope)
    case '.':
      return buildField(node, node.args[0], node.args[1], scope, build)
    case '[]':
      return buildItem(node, node.args, scope, build)
    case 'call':
      return buildCall(node, node.args[0], node.args[1], scope, build)
    case 'rcall':
      return buildMethod(node, node.args, scope, build)
    case 'list':
      return listed(node.args, scope)
    case 'map':
      return mapped(node.args, scope)
    case '?:':
      return chosen(node.args, scope)
    case '&&':
      return joined(node.args, scope, (left, right) => (frame) => truth(left.run(frame)) && truth(right.run(frame)))
    case '||':
      return joined(node.args, scope, (left, right) => (frame) => truth(left.run(frame)) || truth(right.run(frame)))
    case '!_': {
      const of = wanted(node.args, scope, 'boolean')
      return { type: 'boolean', size: of.size + 1, run: (frame) => !truth(of.run(frame)) }
    }
    case '-_': {
      const of = wanted(node.args, scope, 'number')
      return { type: 'number', size: of.size + 1, run: (frame) => finite(-number(of.run(frame))) }
    }
    default:
      return calculated(node, scope)
  }
}

const deepest = 250

function constant(value: unknown, node: ASTNode): Code {
  if (typeof value === 'string') return { type: 'text', size: 1, run: () => value }
  if (typeof value === 'boolean') return { type: 'boolean', size: 1, run: () => value }
  if (value === null) return { type: 'nothing', size: 1, run: () => null }
  // There is one kind of number, as in JSON: 10 and 10.0 are the same.
  const found = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN
  if (!Number.isFinite(found))
    throw new Mistake(
      'holds a value of a kind that JSON does not have',
      'write a number, a text, true, false or null',
      node.pos,
    )
  return { type: 'number', size: 1, run: () => found }
}

function named(name: string, node: ASTNode, scope: Scope): Code {
  const slot = scope.locals.get(name)
  if (slot !== undefined) return { type: 'unknown', size: 1, run: ({ slots }) => slots[slot] ?? null }
  const meaning = scope.variables.get(name)
  if (!meaning) throw unknownVariableError(name, node, scope)
  return {
    type: meaning.type,
    size: 1,
    run: ({ values }) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null),
  }
}

function unknownVariableError(name: string, node: ASTNode, { variables, locals }: Scope): Mistake {
  const fix = {
    name,
    known: [...variables.keys(), ...locals.keys()],
    otherwise: `a text needs quotes of its own: "'${name}'"`,
  }
  return new Mistake(`there is no variable "${name}"`, fix, node.pos)
}

function listed(nodes: readonly ASTNode[], scope: Scope): Code {
  const items = nodes.map((node) => build(node, scope))
  return { type: 'list', size: sizeOf(items), run: (frame) => items.map(({ run }) => run(frame)) }
}

function mapped(nodes: readonly (readonly [ASTNode, ASTNode])[], scope: Scope): Code {
  const fields = nodes.map(([key, value]) => {
    if (key.op !== 'value' || typeof key.args !== 'string')
      throw new Mistake(
        'the name of a field must be a text',
        'put it in quotes; for a name that is found out, write "put({}, name, value)"',
        key.pos,
      )
    if (key.args === '__proto__')
      throw new Mistake('"__proto__" cannot be the name of a field', 'choose another name', key.pos)
    return { name: key.args, code: build(value, scope) }
  })
  return {
    type: 'map',
    size: sizeOf(fields.map(({ code }) => code)),
    run: (frame) => Object.fromEntries(fields.map(({ name, code }) => [name, code.run(frame)])),
  }
}

function chosen([condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode], scope: Scope): Code {
  const when = wanted(condition, scope, 'boolean')
  const [then, otherwise] = [build(yes, scope), build(no, scope)]
  const type: Type = then.type === otherwise.type ? then.type : 'unknown'
  return {
    type,
    size: sizeOf([when, then, otherwise]),
    run: (frame) => (truth(when.run(frame)) ? then : otherwise).run(frame),
  }
}

function joined(
  nodes: readonly [ASTNode, ASTNode],
  scope: Scope,
  runOf: (left: Code, right: Code) => Code['run'],
): Code {
  const [left, right] = [wanted(nodes[0], scope, 'boolean'), wanted(nodes[1], scope, 'boolean')]
  return { type: 'boolean', size: sizeOf([left, right]), run: runOf(left, right) }
}

function calculated(node: ASTNode, scope: Scope): Code {
  const operator = operators[node.op]
  if (!operator) throw new Mistake(`"${node.op}" cannot be used`, 'leave it out', node.pos)
  const [left, right] = (node.args as readonly [ASTNode, ASTNode]).map((side) => build(side, scope)) as [Code, Code]
  const type = operator.type(left.type, right.type)
  if (typeof type !== 'string') throw new Mistake(type.problem, type.fix, node.pos)
  return {
    type,
    size: sizeOf([left, right]),
    run: (frame): Value => operator.run(left.run(frame), right.run(frame), frame),
  }
}

function wanted(node: ASTNode, scope: Scope, type: Type): Code {
  const code = build(node, scope)
  if (mayBe(code.type, type)) return code
  throw new Mistake(
    `needs ${typeName(type)}, and this is ${typeName(code.type)}`,
    type === 'boolean' ? 'compare it, such as "cash > 0"' : `give ${typeName(type)}`,
    node.pos,
  )
}

function sizeOf(parts: readonly Code[]): number {
  return parts.reduce((size, part) => size + part.size, 1)
}
