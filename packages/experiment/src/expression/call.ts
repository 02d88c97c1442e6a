import type { ASTNode } from '@marcbachmann/cel-js'
import { buildHas } from './field.ts'
import { chances, functions, methods, type ExpressionFunction } from './function.ts'
import type { Build, Code, Scope } from './code.ts'
import { Mistake } from './code.ts'
import { buildPass, passes } from './pass.ts'
import { mayBe, typeName, type Type } from './type.ts'

/** `round(x)` */
export function buildCall(node: ASTNode, name: string, args: readonly ASTNode[], scope: Scope, build: Build): Code {
  if (name === 'has') return buildHas(node, args, scope, build)
  if (name === 'random')
    return asked(node, scope, () =>
      called(node, 'random', { takes: [[]], gives: 'number', run: (_, { random }) => random?.next() ?? 0 }, []),
    )
  const found = own(functions, name)
  if (!found)
    throw new Mistake(
      `there is no function "${name}"`,
      { name, known: [...Object.keys(functions), 'has', 'random'] },
      node.pos,
    )
  return called(
    node,
    name,
    found,
    args.map((arg) => build(arg, scope)),
  )
}

/** `name.contains("x")`, `prices.map(price, price * 2)`, `random.pick(names)` */
export function buildMethod(
  node: ASTNode,
  [name, owner, args]: readonly [string, ASTNode, readonly ASTNode[]],
  scope: Scope,
  build: Build,
): Code {
  if (owner.op === 'id' && owner.args === 'random')
    return asked(node, scope, () => {
      const chance = own(chances, name)
      if (!chance)
        throw new Mistake(
          `there is no function "random.${name}"`,
          { name: `random.${name}`, known: Object.keys(chances).map((known) => `random.${known}`) },
          node.pos,
        )
      return called(
        node,
        `random.${name}`,
        chance,
        args.map((arg) => build(arg, scope)),
      )
    })
  if (passes.has(name)) return buildPass(node, [name, owner, args], scope, build)
  const found = own(methods, name)
  if (!found)
    throw new Mistake(
      `there is no function "${name}" behind a value`,
      { name, known: [...Object.keys(methods), ...passes] },
      node.pos,
    )
  return called(
    node,
    name,
    found,
    [owner, ...args].map((arg) => build(arg, scope)),
  )
}

function called(
  node: ASTNode,
  name: string,
  { takes, more = false, gives, run }: ExpressionFunction,
  args: readonly Code[],
): Code {
  const isTaken = (types: readonly Type[]): boolean => {
    const last = types.at(-1) ?? 'unknown'
    const longEnough = args.length === types.length || (more && last === 'number' && args.length > types.length)
    return longEnough && args.every(({ type }, index) => mayBe(type, types[index] ?? last))
  }
  if (!takes.some(isTaken)) {
    const given = args.map(({ type }) => typeName(type)).join(' and ') || 'nothing'
    const ways = takes.map((types) => types.map(typeName).join(' and ') || 'nothing').join(', or ')
    throw new Mistake(`${name} cannot be asked with ${given}`, `give it ${ways}`, node.pos)
  }
  const size = args.reduce((sum, arg) => sum + arg.size, 1)
  return {
    type: gives,
    size,
    run: (frame) =>
      run(
        args.map((arg) => arg.run(frame)),
        frame,
      ),
  }
}

/**
 * Randomness is only allowed where its outcome is recorded: a goal that rolls dice would change each time it is
 * evaluated.
 */
function asked(node: ASTNode, { chance }: Scope, code: () => Code): Code {
  if (!chance)
    throw new Mistake(
      'there is no chance here',
      'ask it in a hook or in what a tool changes, and keep the outcome in a variable',
      node.pos,
    )
  return code()
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
