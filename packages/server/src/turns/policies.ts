import { entryOf, MinutebookError, type Store } from 'minutebook'
import type { Config, PolicyConfig } from '../config.ts'
import { presets } from '../policy.ts'

/** A policy by its name, and who said it. */
export interface NamedPolicy {
  readonly name: string
  /** `preset`: always there; `configured`: in the settings of the server; `recorded`: put there by an operator of the tenant. */
  readonly source: 'preset' | 'configured' | 'recorded'
  readonly policy: PolicyConfig
}

/** The policies of a tenant. What an operator puts there is kept in the tenant's own record. */
export interface Policies {
  list(): Promise<readonly NamedPolicy[]>
  /** Undefined where there is none of that name. */
  find(name: string): Promise<NamedPolicy | undefined>
  put(name: string, policy: PolicyConfig, time: string): Promise<NamedPolicy>
  /** Whether there was one. */
  remove(name: string, time: string): Promise<boolean>
}

/**
 * @example
 * const policy = await policiesOf(config, store).find('short')
 */
export function policiesOf({ policies }: Pick<Config, 'policies'>, store: Pick<Store, 'append' | 'read' | 'standing'>): Policies {
  const fixed: readonly NamedPolicy[] = [
    ...presets.map((preset) => ({ name: preset, source: 'preset' as const, policy: { preset } })),
    ...Object.entries(policies).map(([name, policy]) => ({ name, source: 'configured' as const, policy })),
  ]
  const fixedAs = (name: string): NamedPolicy | undefined => fixed.findLast((known) => known.name.toLowerCase() === name.toLowerCase())
  const recordedAs = async (name: string): Promise<NamedPolicy | undefined> => policyIn((await store.read(thread, { key: name, last: 1 }))[0]?.text, name)
  const write = async (name: string, policy: PolicyConfig | null, time: string): Promise<void> => {
    // What comes back must be another entry: one that is there already stays where it is.
    const { length } = await store.standing(thread)
    await store.append(thread, [entryOf({ role: 'user', content: JSON.stringify({ policy, at: length }) }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key: name, time })])
  }
  return {
    list: async () => {
      const newest = new Map((await store.read(thread)).map(({ key = '', text }) => [key, text]))
      return [...fixed, ...[...newest].flatMap(([name, text]) => policyIn(text, name) ?? [])]
    },
    find: async (name) => fixedAs(name) ?? recordedAs(name),
    put: async (name, policy, time) => {
      if (fixedAs(name)) throw new MinutebookError('policy_taken', 'A preset or a policy of the settings has this name; choose another one.')
      await write(name, policy, time)
      return { name, source: 'recorded', policy }
    },
    remove: async (name, time) => {
      if (fixedAs(name)) throw new MinutebookError('policy_taken', 'This policy is a preset or one of the settings; remove it from the settings of the server.')
      if (!(await recordedAs(name))) return false
      await write(name, null, time)
      return true
    },
  }
}

const thread = 'minutebook:policies'

function policyIn(text: string | undefined, name: string): NamedPolicy | undefined {
  const policy = text === undefined ? null : (JSON.parse(text) as { readonly policy: PolicyConfig | null }).policy
  return policy === null ? undefined : { name, source: 'recorded', policy }
}

export function unknownPolicy(): MinutebookError {
  return new MinutebookError('unknown_policy', 'There is no policy of this name; list the policies to see which there are.')
}
