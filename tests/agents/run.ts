import { agents } from './agents.ts'
import type { Session } from './play.ts'
import { playSession } from './session.ts'

// For run.sh: each agent does a task of many tool calls, directly and through the gateway. With names, only these agents.

const names = process.argv.slice(2)
const calls = Number(process.env['CALLS'] ?? 60)
const window = Number(process.env['WINDOW'] ?? 16_384)
process.exitCode = (await playAll()) ? 0 : 1

/** Plays all sessions, and returns whether each was as it must be. */
async function playAll(): Promise<boolean> {
  console.log(`A task of ${calls} tool calls, each printing a page, at a model server with ${window} tokens.`)
  let isWell = true
  for (const [agent, { name, protocol }] of agents.entries()) {
    if (names.length > 0 && !names.includes(name)) continue
    const session = { agent, calls, window }
    const [direct, through] = await Promise.all([
      playSession({ ...session, mode: 'direct' }),
      playSession({ ...session, mode: 'gateway' }),
    ])
    console.log(`\n${name}, ${protocol}`)
    console.log(`  directly: ${directLine(direct)}`)
    isWell = tellThrough('through the gateway', through) && isWell
    if (protocol === 'responses')
      isWell =
        tellThrough('the same, to a server of responses', await playSession({ ...session, mode: 'served' })) && isWell
  }
  return isWell
}

/** Prints a session, and returns whether it was as it must be. */
function tellThrough(how: string, session: Session): boolean {
  console.log(`  ${how}: ${throughLine(session)}`)
  if (!isKept(session)) console.log(session.said.replaceAll(/^/gm, '    '))
  return isKept(session)
}

function isKept({ isDone, calls: made, refused, illegal, lacking }: Session): boolean {
  return isDone && made === calls && refused === 0 && illegal.length === 0 && lacking === 0
}

function directLine({ isDone, calls: made, refused }: Session): string {
  return isDone ? `done, ${refused} refused` : `ends at call ${made}, ${refused} refused`
}

function throughLine({ isDone, calls: made, refused, tooLong, illegal, rewritten, lacking, seconds }: Session): string {
  return [
    isDone ? 'done' : 'not done',
    `${made} calls`,
    `${refused} refusals seen by the agent`,
    `${tooLong} prompts too long for the model server`,
    `${illegal.length} illegal${illegal.length > 0 ? ` (${illegal[0]})` : ''}`,
    `${rewritten} rewritten`,
    `${lacking} without the task or the newest result`,
    `${seconds} s`,
  ].join(', ')
}
