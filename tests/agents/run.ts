import { agents } from './agents.ts'
import { playSession } from './session.ts'

// `npm run test:agents`: each agent does a task of many tool calls, directly and through the gateway.

const calls = Number(process.env['CALLS'] ?? 60)
const window = Number(process.env['WINDOW'] ?? 16_384)
let isWell = true

console.log(
  `A task of ${calls} tool calls, each printing a page; the model server refuses more than ${window} tokens.\n`,
)
for (const [agent, { name, protocol }] of agents.entries()) {
  const direct = await playSession({ agent, calls, window, mode: 'direct' })
  const through = await playSession({ agent, calls, window, mode: 'gateway' })
  const isKept = through.isDone && through.calls === calls && through.refused === 0 && through.lacking === 0
  isWell &&= isKept
  console.log(`${name}, ${protocol}`)
  console.log(`  directly: ${direct.isDone ? 'done' : `ends at call ${direct.calls}`}, ${direct.refused} refused`)
  console.log(
    `  through the gateway: ${through.isDone ? 'done' : 'not done'}, ${through.calls} calls, ${through.refused} refusals seen by the agent, ${through.refusedUpstream} upstream, ${through.rewritten} prompts rewritten, ${through.lacking} without the task or the newest result, ${through.seconds} s`,
  )
  if (!isKept) console.log(through.said.replaceAll(/^/gm, '    '))
}
process.exitCode = isWell ? 0 : 1
