import { MinutebookError } from 'minutebook'
import type { Agent } from './agents.ts'

/** What the user wrote for the agent. */
export interface AgentArguments {
  /** The model that its own flag names. */
  readonly model: string | undefined
  /** The others. */
  readonly args: readonly string[]
}

/**
 * Takes the model out of the arguments of an agent. It may be written with the name that our provider has there
 * (`minutebook/…`). Throws if an argument would lead the agent past the gateway.
 */
export function readArguments(
  words: readonly string[],
  { modelFlags, bypassFlags, bypassSettings }: Pick<Agent, 'modelFlags' | 'bypassFlags' | 'bypassSettings'>,
): AgentArguments {
  const args: string[] = []
  let model: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    // What follows is text.
    if (word === '--') return { model, args: [...args, ...words.slice(at)] }
    const [flag, value] = word.startsWith('--') ? splitFlag(word) : [word, undefined]
    if (bypassFlags.includes(flag)) throw bypassError(flag)
    const setting = bypassSettings?.flags.includes(flag) ? (value ?? words[at + 1] ?? '') : ''
    if (bypassSettings?.names.test(setting)) throw bypassError(`${flag} ${setting.split('=')[0]!.trim()}`)
    if (!modelFlags.includes(flag)) args.push(word)
    else model = (value ?? words[++at] ?? '').replace(/^minutebook\//, '') || model
  }
  return { model, args }
}

function splitFlag(word: string): [flag: string, value?: string] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function bypassError(flag: string): MinutebookError {
  return new MinutebookError(
    'invalid_call',
    `With ${flag}, the agent would not use the gateway.`,
    `Leave ${flag} out. To choose a model of the gateway: --model <name>.`,
  )
}
