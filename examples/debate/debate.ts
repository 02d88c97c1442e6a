// A debate: two speak, one judges, and each knows something that the others do not. The models are those that
// debate.yaml names.
//
//   node examples/debate/debate.ts               with models of Ollama
//   node examples/debate/debate.ts --scripted    with the lines of scripted.ts

import { parseArgs } from 'node:util'
import { ollamaSeat, openStage, over, seatOf, shown } from '../play.ts'
import { scriptedSpeaker } from './scripted.ts'

const {
  values: { scripted },
} = parseArgs({ options: { scripted: { type: 'boolean' } } })

const stage = await openStage(
  new URL('./debate.yaml', import.meta.url),
  scripted ? (seat) => seatOf(seat, scriptedSpeaker(seat.name)) : ollamaSeat,
)
const {
  status,
  reason,
  environment: { winner, annsPoints, bobsPoints },
} = await over(await stage.begin('debate'), ({ round, name, cells }) => {
  console.log(`${round}. ${name}`)
  for (const { participant, text, effects } of cells) {
    for (const { tool, input } of effects)
      console.log(`   ${participant} → ${tool}(${Object.values(input).map(shown).join(', ')})`)
    console.log(`   ${participant}: ${text}`)
  }
})
console.log(`${status}: ${reason ?? ''} Ann ${shown(annsPoints)}, Bob ${shown(bobsPoints)}: ${shown(winner)} won.`)
await stage.close()
process.exitCode = status === 'success' ? 0 : 1
