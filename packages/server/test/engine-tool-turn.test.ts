import { expect, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { chatsOf, clients, faultOf, finalAnswer, reader } from './engine/tool-turn.ts'
import { gatewayBefore } from '../../../tests/support/server/gateway.ts'

const pages = 100
const window = 4096
const cases = (['openai', 'ollama'] as const).flatMap((client) =>
  [true, false].map((streams) => ({ client, streams, how: streams ? 'streamed' : 'whole' })),
)

test.for(cases)(
  `one turn of ${pages} tool calls overflows ${window} tokens without us: $client, $how`,
  async ({ client, streams }) => {
    await using upstream = await strictUpstream({ window, answer: reader(pages) })
    const { rejectedAt, reason } = await clients[client](upstream.url, pages, streams)
    console.log(`${client} straight to the upstream: refused after ${rejectedAt} tool calls (${reason})`)
    expect(rejectedAt).toBeGreaterThan(10)
    expect(
      chatsOf(upstream)
        .slice(0, -1)
        .map(faultOf)
        .filter((fault) => fault !== undefined),
    ).toEqual([])
    expect(chatsOf(upstream).at(-1)?.status).toBe(400)
  },
)

test.for(cases)(
  `one turn of ${pages} tool calls is never refused through the gateway, and no call loses its result: $client, $how`,
  async ({ client, streams }) => {
    const { upstream, running } = await gatewayBefore({ window, answer: reader(pages) })
    const turn = await clients[client](running.url, pages, streams)
    console.log(
      `${client} through the gateway: ${turn.results} tool calls, ${turn.rejectedAt === undefined ? 'nothing refused' : `refused after ${turn.rejectedAt} (${turn.reason})`}`,
    )
    expect(turn).toEqual({ results: pages, answer: finalAnswer })
    expect(
      chatsOf(upstream)
        .map(faultOf)
        .filter((fault) => fault !== undefined),
    ).toEqual([])
    expect(chatsOf(upstream)).toHaveLength(pages + 1)
  },
)
