import type { ASTNode } from '@marcbachmann/cel-js'
import type { Value } from '@minutebook/experiment/run'
import { list, truth } from './assert.ts'
import { type Build, type Code, type Frame, Mistake, type Scope } from './code.ts'
import { mayBe, type Type, typeName, typeOf } from './type.ts'

/** What goes through a list, or the names of a map's fields, item by item. */
export const passes: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** `prices.filter(price, price > 2)` */
export function buildPass(
  node: ASTNode,
  [name, owner, args]: readonly [string, ASTNode, readonly ASTNode[]],
  scope: Scope,
  build: Build,
): Code {
  const [item, ...bodies] = args
  if (item?.op !== 'id' || bodies.length < 1 || bodies.length > (name === 'map' ? 2 : 1))
    throw new Mistake(
      `"${name}" needs a name for the item, and an expression`,
      `write it such as "prices.${name}(price, price > 2)"`,
      node.pos,
    )
  const of = build(owner, scope)
  if (!mayBe(of.type, 'list') && of.type !== 'map')
    throw new Mistake(`cannot go through ${typeName(of.type)}`, 'give a list', owner.pos)
  // Not how many names there are: one that is used again inside still has its own slot outside.
  const slot = Math.max(-1, ...scope.locals.values()) + 1
  const inner: Scope = { ...scope, locals: new Map([...scope.locals, [item.args, slot]]) }
  const codes = bodies.map((body) => build(body, inner))
  const [test, body] = testAndBody(name, codes)
  if (test && !mayBe(test.type, 'boolean'))
    throw new Mistake(
      `"${name}" needs true or false for each item, and this is ${typeName(test.type)}`,
      'compare it, such as "price > 2"',
      (bodies[0] ?? node).pos,
    )
  const cost = codes.reduce((sum, { size }) => sum + size, 1)
  const each = function* (frame: Frame): Generator<Value> {
    for (const value of itemsOf(of.run(frame))) {
      frame.spend(cost)
      frame.slots[slot] = value
      yield value
    }
  }
  const holds = (frame: Frame): boolean => !test || truth(test.run(frame))
  return {
    type: types[name] ?? 'unknown',
    size: of.size + cost,
    run: (frame) =>
      runs[name]?.(
        each(frame),
        () => holds(frame),
        () => body?.run(frame) ?? null,
      ) ?? null,
  }
}

type Run = (items: Iterable<Value>, holds: () => boolean, made: () => Value) => Value

const runs: Readonly<Record<string, Run>> = {
  all: (items, holds) => {
    for (const _ of items) if (!holds()) return false
    return true
  },
  exists: (items, holds) => {
    for (const _ of items) if (holds()) return true
    return false
  },
  exists_one: (items, holds) => [...kept(items, holds)].length === 1,
  filter: (items, holds) => [...kept(items, holds)],
  map: (items, holds, made) => {
    const all: Value[] = []
    for (const _ of items) if (holds()) all.push(made())
    return all
  },
}

const types: Readonly<Record<string, Type>> = {
  all: 'boolean',
  exists: 'boolean',
  exists_one: 'boolean',
  filter: 'list',
  map: 'list',
}

function* kept(items: Iterable<Value>, holds: () => boolean): Generator<Value> {
  for (const item of items) if (holds()) yield item
}

function testAndBody(name: string, codes: readonly Code[]): readonly [Code | undefined, Code | undefined] {
  if (name !== 'map') return [codes[0], undefined]
  return codes.length === 2 ? [codes[0], codes[1]] : [undefined, codes[0]]
}

function itemsOf(owner: Value): readonly Value[] {
  return typeOf(owner) === 'map' ? Object.keys(owner as object) : list(owner)
}
