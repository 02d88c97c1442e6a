import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  compile,
  defaultPolicy,
  explain,
  firstAndRecent,
  lastMessages,
  tiered,
  type CompileResult,
  type CompileOptions,
  type Message,
} from 'minutebook'
import { words } from '@minutebook/testing'
import { entriesOf, pinned } from '../../../../tests/support/entries.ts'
import { lampProgram } from './lamp.ts'

/** One folder: a log, how it is compiled, and what came of it, all readable. `GOLDEN=write` writes the outcome anew. */
export interface Golden {
  readonly name: string
  readonly log: Message[]
  readonly compiled: CompileResult
  readonly prompt: { readonly expected: string; readonly actual: string }
  readonly plan: { readonly expected: string; readonly actual: string }
}

const root = join(import.meta.dirname, '..', 'golden')

export function goldens(): Golden[] {
  return readdirSync(root).toSorted().map(golden)
}

export function golden(name: string): Golden {
  const file = (part: string): string => join(root, name, part)
  const log = readFileSync(file('log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message)
  const recipe = JSON.parse(readFileSync(file('policy.json'), 'utf8')) as Recipe
  const { pins } = recipe
  const compiled = pins
    ? compile(entriesOf(...log.map((each, index) => (pins.includes(index) ? pinned(each) : each))), optionsOf(recipe))
    : compile(log, optionsOf(recipe))
  const prompt = `[\n${compiled.messages.map((message) => `  ${JSON.stringify(message)}`).join(',\n')}\n]\n`
  const plan = `${explain(compiled.plan)}\n`
  if (process.env['GOLDEN'] === 'write') {
    writeFileSync(file('prompt.json'), prompt)
    writeFileSync(file('plan.txt'), plan)
  }
  const read = (part: string): string => (existsSync(file(part)) ? readFileSync(file(part), 'utf8') : '')
  return {
    name,
    log,
    compiled,
    prompt: { expected: read('prompt.json'), actual: prompt },
    plan: { expected: read('plan.txt'), actual: plan },
  }
}

interface Recipe {
  readonly window: number
  readonly reserve?: number
  /** The places of pinned messages in the log. */
  readonly pins?: readonly number[]
  readonly policy: { readonly preset: keyof typeof presets; readonly with?: unknown }
}

const presets = {
  default: (given: unknown) => defaultPolicy(given as Parameters<typeof defaultPolicy>[0]),
  firstAndRecent: (given: unknown) => firstAndRecent(given as Parameters<typeof firstAndRecent>[0]),
  tiered: (given: unknown) => tiered(given as Parameters<typeof tiered>[0]),
  lastMessages: (given: unknown) => lastMessages(given as number),
}

function optionsOf({ window, reserve, policy }: Recipe): CompileOptions {
  return {
    window,
    ...(reserve !== undefined && { reserve }),
    counter: words,
    digesters: [lampProgram],
    policy: presets[policy.preset](policy.with),
  }
}
