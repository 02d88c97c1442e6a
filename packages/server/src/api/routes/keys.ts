import { ringFor, type KnownKey } from '../../auth/key-ring.ts'
import { operation, type Operation } from '../operation.ts'
import { key, keyList, keyParams, madeKey, newKey, revokedKey } from '../schema/key.ts'

const example: KnownKey = {
  name: 'website',
  tenant: 'default',
  scope: 'app',
  source: 'recorded',
  time: '2026-11-15T12:00:00.000Z',
}

/** Keys of the tenant. The operator of the installation sees and makes the keys of all tenants. */
export const keyOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/keys',
    id: 'listKeys',
    tag: 'keys',
    scope: 'admin',
    summary: 'List keys, without their secrets',
    status: 200,
    says: 'All keys, including revoked ones.',
    schema: keyList,
    example: { keys: [example] },
    errors: [],
    answer: async ({ call }) => ({ keys: await ringFor(call.services.keyRing, call.caller).list() }),
  }),
  operation({
    method: 'post',
    path: '/keys',
    id: 'createKey',
    tag: 'keys',
    scope: 'admin',
    summary: 'Create a key',
    body: newKey,
    status: 201,
    says: 'The key. It is shown only once.',
    schema: madeKey,
    example: { ...example, key: 'mb_…' },
    errors: ['key_exists', 'too_many_keys', 'invalid_key', 'foreign_tenant'],
    answer: ({ body, call: { services, caller } }) =>
      ringFor(services.keyRing, caller).create({ ...body, tenant: body.tenant ?? caller.tenant }),
  }),
  operation({
    method: 'delete',
    path: '/keys/{key}',
    id: 'revokeKey',
    tag: 'keys',
    scope: 'admin',
    summary: 'Revoke a key',
    description: 'The key is invalid on every instance within a few seconds.',
    params: keyParams,
    query: revokedKey,
    status: 200,
    says: 'The key is revoked.',
    schema: key,
    example: { ...example, revoked: '2026-11-15T12:30:00.000Z' },
    errors: ['unknown_key', 'configured_key'],
    answer: ({ params, query, call }) => ringFor(call.services.keyRing, call.caller).revoke(params.key, query.sha256),
  }),
]
