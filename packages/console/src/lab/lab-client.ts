import { startWorker } from './start-worker.ts'
import type { LabQuestion, LabQuestions, LabResponse } from './lab-messages.ts'

/** Asks the lab beside the page. A wish that another one takes the place of gets no answer. */
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
