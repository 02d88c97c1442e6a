// Long conversations of a client that re-sends everything: node tests/real-model/talk.ts --turns 300 --n-ctx 512,2048,4096 With
// --through URL, also through whatever listens there and has this engine (--port) for its upstream.
import { parseArgs } from 'node:util'
import { complaintOf, talk, type TalkReport } from './re-sending.ts'
import { serveEngine } from './server.ts'

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '300' },
    'n-ctx': { type: 'string', default: '512,2048,4096' },
    port: { type: 'string', default: '0' },
    through: { type: 'string' },
  },
})

for (const contextSize of values['n-ctx'].split(',').map(Number)) {
  await using server = await serveEngine({ contextSize, port: Number(values.port) })
  const tell = async (where: string, url: string): Promise<void> =>
    console.log(line(contextSize, where, await talk({ url, turns: Number(values.turns), seen: server.seen })))
  await tell('straight to the engine', server.url)
  if (values.through !== undefined) await tell(`through ${values.through}`, values.through)
}

function line(contextSize: number, where: string, report: TalkReport): string {
  const { turns, milliseconds } = report
  const most = Math.max(...turns.map(({ tokens }) => tokens))
  return `${contextSize} tokens, ${where}: ${turns.length} turns, at most ${most} tokens, ${(milliseconds / 1000).toFixed(1)} s: ${complaintOf(report) ?? `nothing refused, nothing cut, first and latest always there (${report.clipped} times clipped)`}`
}
