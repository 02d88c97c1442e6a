// The bundler makes an address of this.
// oxlint-disable-next-line import/default
import address from './lab-worker.ts?worker&url'

/** What the browser has of trusted types, where it has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** The page may start no script but this one: its policy allows the name below, and this allows one address. */
export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('minutebook-lab', { createScriptURL: own })
  return new Worker(policy ? policy.createScriptURL(address) : own(address), { type: 'module' })
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function own(url: string): string {
  if (url !== address) throw new Error('The lab starts only what came with it.')
  return url
}
