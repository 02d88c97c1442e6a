import { z } from '@hono/zod-openapi'
import type { KnownKey, MadeKey } from '../../auth/key-ring.ts'
import type { Scope } from '../../config/caller.ts'
import { shape, text } from './schema.ts'

const scope = z.enum(['admin', 'app', 'viewer'])

const keyFields = z.object({
  name: text.openapi({ example: 'website' }),
  tenant: text.openapi({ example: 'default' }),
  scope,
  decide: z
    .literal(true)
    .optional()
    .openapi({ description: 'The key may decide about calls that need approval. Admins may without it.' }),
  source: z.enum(['configured', 'recorded']),
  time: text.optional().openapi({ description: 'When the key was made.' }),
  revoked: text.optional().openapi({ description: 'When the key was revoked. Absent if it is valid.' }),
  expires: text.optional().openapi({ description: 'When the key ends by itself. Absent if it does not.' }),
})

export const key: z.ZodType<KnownKey> = shape('Key', keyFields)

export const madeKey: z.ZodType<MadeKey> = shape(
  'MadeKey',
  keyFields.extend({ key: text.openapi({ description: 'The key itself. It is shown only once.', example: 'mb_…' }) }),
)

export const keyList: z.ZodType<{ readonly keys: readonly KnownKey[] }> = shape(
  'KeyList',
  z.object({ keys: z.array(keyFields) }),
)

export interface NewKey {
  readonly name: string
  readonly tenant?: string | undefined
  readonly scope: Scope
  readonly expiresIn?: number | undefined
  readonly decide?: true | undefined
}

export const newKey: z.ZodType<NewKey> = shape(
  'NewKey',
  z
    .strictObject({
      name: text.min(1).max(64).openapi({ example: 'website' }),
      tenant: text.min(1).max(63).optional().openapi({
        description:
          'Default: the tenant of the key that sends the request. Only the operator of the installation can make keys for other tenants.',
      }),
      scope,
      expiresIn: z.int().min(1).max(2_592_000).optional().openapi({
        description:
          'Seconds until the key ends by itself, for one run of a program. Several such keys may have one name. Default: it does not end.',
      }),
      decide: z.literal(true).optional().openapi({
        description:
          'Lets a key with the scope `app` decide about calls that need approval. Do not give it to an app that runs an agent. Default: only admins may.',
      }),
    })
    .openapi({ example: { name: 'website', scope: 'app' } }),
)

export const keyParams: z.ZodType<{ readonly key: string }> = z.object({
  key: text.min(1).max(128).openapi({ description: 'The name of the key.', example: 'website' }),
}) as unknown as z.ZodType<{ readonly key: string }>

export const revokedKey: z.ZodType<{ readonly sha256?: string | undefined }> = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .openapi({ description: 'Only the key of that name with this SHA-256. Default: every key of that name.' }),
}) as unknown as z.ZodType<{ readonly sha256?: string | undefined }>
