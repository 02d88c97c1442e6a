import { MinutebookError, type Store } from 'minutebook'
import type { PolicyConfig } from '@minutebook/experiment/run'
import type { StoredRecord } from 'minutebook/store'
import type { Config } from '../config/config.ts'

export const presets: readonly PolicyConfig['preset'][] = ['default', 'lastMessages', 'tiered', 'firstAndRecent']

/** A policy by its name, and its source. */
export interface NamedPolicy {
  readonly name: string
  /**
   * `preset`: always there; `configured`: in the settings of the server; `recorded`: made by an admin of the tenant.
   */
  readonly source: 'preset' | 'configured' | 'recorded'
  readonly policy: PolicyConfig
}

/** The policies of a tenant. Policies of an admin are kept in the tenant's own record. */
export interface Policies {
  list(): Promise<readonly NamedPolicy[]>
  /** Undefined if no policy has that name. */
  find(name: string): Promise<NamedPolicy | undefined>
  put(name: string, policy: PolicyConfig): Promise<NamedPolicy>
  /** Whether there was one. */
  remove(name: string): Promise<boolean>
}

/**
 * @example
 * const policy = await policiesOf(config, store).find('short')
 */
export function policiesOf({ policies }: Pick<Config, 'policies'>, store: Pick<Store, 'records'>): Policies {
  const fixed: readonly NamedPolicy[] = [
    ...presets.map((preset) => ({ name: preset, source: 'preset' as const, policy: { preset } })),
    ...Object.entries(policies).map(([name, policy]) => ({ name, source: 'configured' as const, policy })),
  ]
  const fixedAs = (name: string): NamedPolicy | undefined =>
    fixed.findLast((known) => known.name.toLowerCase() === name.toLowerCase())
  const recordedAs = async (name: string): Promise<NamedPolicy | undefined> =>
    (await store.records.find({ name: recordName, key: name, thread: null })).map(policyIn)[0]
  return {
    list: async () => [
      ...fixed,
      ...(await store.records.find({ name: recordName, thread: null })).reverse().map(policyIn),
    ],
    find: async (name) => fixedAs(name) ?? recordedAs(name),
    put: async (name, policy) => {
      if (fixedAs(name))
        throw new MinutebookError(
          'policy_taken',
          'A preset or a policy of the settings has this name.',
          'Choose another name.',
        )
      await store.records.put(null, [{ name: recordName, key: name, value: policy }])
      return { name, source: 'recorded', policy }
    },
    remove: async (name) => {
      if (fixedAs(name))
        throw new MinutebookError(
          'policy_taken',
          'This policy is a preset, or is in the settings of the server.',
          'Remove it from the settings. A preset cannot be removed.',
        )
      return (await store.records.remove(null, recordName, name)) > 0
    },
  }
}

const recordName = 'policy'

function policyIn({ key, value }: StoredRecord): NamedPolicy {
  return { name: key, source: 'recorded', policy: value as PolicyConfig }
}

export function unknownPolicyError(): MinutebookError {
  return new MinutebookError(
    'unknown_policy',
    'There is no policy with this name.',
    'List the policies to see which ones exist.',
  )
}
