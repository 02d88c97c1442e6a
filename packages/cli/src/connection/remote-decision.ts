import { eventsIn, type components } from '@minutebook/client'
import type { Decision, OpenCall, ThreadCall } from 'minutebook'
import type { StreamEvent } from 'minutebook/http'
import { clientOf, dataOf, given, streamOf, type ServerAddress } from './server.ts'

/** A decision about an open call of a thread. */
export interface ThreadDecision {
  readonly thread: string
  readonly call: string
  readonly decision: Decision
  readonly by?: string | undefined
}

/** The calls that wait at a server: of one thread, or of all. */
export async function waitingAt(server: ServerAddress, thread: string | undefined): Promise<readonly ThreadCall[]> {
  const client = clientOf(server)
  if (thread === undefined) {
    const answer = client.GET('/minutebook/v1/waiting', { params: { query: { limit: mostListed } } })
    return (await dataOf<{ readonly calls: readonly ThreadCall[] }>(answer)).calls
  }
  const answer = client.GET('/minutebook/v1/threads/{thread}/waiting', { params: { path: { thread } } })
  const { calls } = await dataOf<{ readonly calls: readonly OpenCall[] }>(answer)
  return calls.map((open) => ({ ...open, thread }))
}

const mostListed = 1000

/** Decides at a server, and returns the events of the turn from the decision on. The turn goes on if they are not read. */
export async function decideAt(
  server: ServerAddress,
  { thread, ...body }: ThreadDecision,
): Promise<AsyncIterable<StreamEvent>> {
  const answer = clientOf(server).POST('/minutebook/v1/threads/{thread}/decisions', {
    params: { path: { thread } },
    headers: { accept: 'text/event-stream' },
    body: given(body) as components['schemas']['NewDecision'],
    parseAs: 'stream',
  })
  return eventsIn<StreamEvent>(await streamOf(answer))
}
