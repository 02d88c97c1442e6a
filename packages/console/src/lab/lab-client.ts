import type { LabQuestion, LabQuestions, LabResponse } from './lab-messages.ts'
// The bundler turns this into a URL.
// oxlint-disable-next-line import/default
import address from './lab-worker.ts?worker&url'

/** Talks to the lab's worker. A request that a newer one replaces gets no answer. */
export interface LabClient {
  ask<Q extends LabQuestion>(question: Q, asked: LabQuestions[Q]['asked']): Promise<LabQuestions[Q]['answer']>
  close(): void
}

export function createLabClient(): LabClient {
  const worker = startWorker()
  const waiting = new Map<
    number,
    { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void }
  >()
  let count = 0
  worker.addEventListener('message', ({ data }: MessageEvent<LabResponse>) => {
    const asker = waiting.get(data.id)
    waiting.delete(data.id)
    if ('failure' in data) asker?.reject(new Error(data.failure))
    if ('answer' in data) asker?.resolve(data.answer as never)
  })
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The lab could not be started in this browser.'))
    waiting.clear()
  })
  return {
    ask: (question, asked) =>
      new Promise((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, question, asked })
      }),
    close: () => worker.terminate(),
  }
}

/** The part of the Trusted Types API that is used here. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** The content security policy allows the policy name below, and the policy allows one URL. */
function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('minutebook-lab', { createScriptURL: own })
  return new Worker(policy ? policy.createScriptURL(address) : own(address), { type: 'module' })
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function own(url: string): string {
  if (url !== address) throw new Error('The lab starts only what came with it.')
  return url
}
