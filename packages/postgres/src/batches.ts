import type { Pool } from 'pg'
import { failureOf, isTaken } from './failure.ts'
import { together, type Request } from './session.ts'

/**
 * Sends requests about threads. What is asked about one thread in one breath, before anybody waits for an answer, goes
 * out together: on one connection, in one transaction. Where that fails, each is tried by itself.
 */
export type Ask = <Row>(thread: string, request: Request) => Promise<Row[]>

export function createBatches(pool: Pool, tenant: string): Ask {
  const gathering = new Map<string, { readonly requests: Request[]; readonly answers: Promise<unknown[][]> }>()

  const gather = (thread: string): { readonly requests: Request[]; readonly answers: Promise<unknown[][]> } => {
    const requests: Request[] = []
    const answers = Promise.resolve().then(() => {
      gathering.delete(thread)
      return together(pool, tenant, requests)
    })
    const batch = { requests, answers }
    gathering.set(thread, batch)
    return batch
  }
  return async <Row>(thread: string, request: Request): Promise<Row[]> => {
    const { requests, answers } = gathering.get(thread) ?? gather(thread)
    const place = requests.push(request) - 1
    try {
      return (await answers)[place] as Row[]
    } catch (error) {
      if (requests.length === 1 || !isTaken(error)) throw failureOf(error)
    }
    const [answer] = await together(pool, tenant, [request]).catch((error: unknown) => { throw failureOf(error) })
    return answer as Row[]
  }
}
