// A lemonade stand: one vendor, ten tools, thirty days to become rich. The model is the one that lemonade.yaml names.
//
//   node examples/lemonade-stand/lemonade-stand.ts                        with a model of Ollama
//   node examples/lemonade-stand/lemonade-stand.ts --scripted --seed 3    with the rules of scripted.ts

import { parseArgs } from 'node:util'
import { ollamaSeat, openStage, over, seatOf, shown } from '../play.ts'
import { scriptedVendor } from './scripted.ts'

const {
  values: { scripted, seed },
} = parseArgs({ options: { scripted: { type: 'boolean' }, seed: { type: 'string' } } })

const stage = await openStage(
  new URL('./lemonade.yaml', import.meta.url),
  scripted ? (seat) => seatOf(seat, scriptedVendor()) : ollamaSeat,
)
const run = await stage.begin('stand', { seed: seed === undefined ? undefined : Number(seed) })
const { status, reason, spending } = await over(
  run,
  ({ round, environment: { weather, sold, price, netWorth }, cells }) => {
    console.log(
      `day ${round}: ${shown(weather)}, sold ${shown(sold)} at ${shown(price)}, worth ${shown(netWorth)} | ${cells[0]?.text ?? ''}`,
    )
  },
)
console.log(`${status}: ${reason ?? ''} ${spending.calls} model calls.`)
await stage.close()
process.exitCode = status === 'success' ? 0 : 1
