import { z } from 'zod'
import { scopes, type Scope } from '../../scope.ts'
import { tenantPattern } from '../../tenant.ts'
import type { KeyConfig } from '../settings.ts'
import { text, yesOrNo } from './value.ts'

/** The name of a key: logs and threads show it. */
export const keyName: z.ZodString = text('must be a short name for the key, which logs show. Write one.').regex(
  /^[\w.@-]{1,64}$/,
  { error: 'must be 1 to 64 letters, digits, ".", "_", "@" or "-". Write such a name.' },
)

export const tenantName: z.ZodString = text('must be the name of a tenant. Write one.').regex(tenantPattern, {
  error: 'must be 1 to 63 small letters, digits, "_" or "-". Write such a name.',
})

export const keyScope: z.ZodType<Scope> = z.enum(scopes as readonly [Scope, ...Scope[]], {
  error: `must be ${scopes.join(' or ')}. Write one of them.`,
})

export const key: z.ZodType<KeyConfig> = z.strictObject(
  {
    name: keyName,
    sha256: text('must be the SHA-256 of the key, 64 hexadecimal digits in quotes.')
      .regex(/^[0-9a-fA-F]{64}$/, {
        error: 'must be the SHA-256 of the key, 64 hexadecimal digits in quotes; never the key itself.',
      })
      .toLowerCase(),
    tenant: tenantName.default('default'),
    scope: keyScope.default('app'),
    system: yesOrNo.optional(),
    installation: yesOrNo.optional(),
  },
  { error: 'must have name and sha256.' },
)
