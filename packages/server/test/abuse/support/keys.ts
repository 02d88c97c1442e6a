import { createHash } from 'node:crypto'
import type { KeyConfig } from '../../../src/index.ts'

/** The settings of a key whose text is "key-of-" and its name. */
export function keyOf(name: string, more: Partial<KeyConfig> = {}): KeyConfig {
  return {
    name,
    sha256: createHash('sha256').update(secretOf(name)).digest('hex'),
    tenant: 'default',
    scope: 'app',
    ...more,
  }
}

export function secretOf(name: string): string {
  return `key-of-${name}`
}

export function bearer(name: string): { readonly authorization: string } {
  return { authorization: `Bearer ${secretOf(name)}` }
}
