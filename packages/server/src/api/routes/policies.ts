import { policiesOf, unknownPolicyError, type NamedPolicy, type Policies } from '../../stores/policies.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { namedPolicy, policy, policyList, policyParams, removed } from '../schema/policy.ts'

const example: NamedPolicy = { name: 'short', source: 'recorded', policy: { preset: 'tiered', verbatim: 2 } }

/** Named policies: setups and the header `minutebook-policy` use them. */
export const policyOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/policies',
    id: 'listPolicies',
    tag: 'policies',
    scope: 'admin',
    summary: 'List policies: presets, policies of the settings, and recorded policies',
    status: 200,
    says: 'All policies.',
    schema: policyList,
    example: { policies: [example] },
    errors: [],
    answer: async ({ call }) => ({ policies: await policiesFor(call).list() }),
  }),
  operation({
    method: 'put',
    path: '/policies/{policy}',
    id: 'putPolicy',
    tag: 'policies',
    scope: 'admin',
    summary: 'Record a policy for the threads of this tenant',
    params: policyParams,
    body: policy,
    status: 200,
    says: 'The policy is recorded.',
    schema: namedPolicy,
    example,
    errors: ['policy_taken'],
    answer: ({ params, body, call }) => policiesFor(call).put(params.policy, body),
  }),
  operation({
    method: 'delete',
    path: '/policies/{policy}',
    id: 'deletePolicy',
    tag: 'policies',
    scope: 'admin',
    summary: 'Remove a recorded policy',
    description: 'Threads that name this policy continue with the policy of the server.',
    params: policyParams,
    status: 200,
    says: 'The policy is removed.',
    schema: removed,
    example: { removed: true },
    errors: ['policy_taken', 'unknown_policy'],
    answer: async ({ params, call }) => {
      if (!(await policiesFor(call).remove(params.policy))) throw unknownPolicyError()
      return { removed: true }
    },
  }),
]

function policiesFor({ services, store }: ApiCall): Policies {
  return policiesOf(services.config, store)
}
