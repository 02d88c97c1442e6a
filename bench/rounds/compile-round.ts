import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { compile } from 'minutebook'
import { median } from '../median.ts'
import { words } from '../tokens.ts'
import { growFolds, playTurns, recalls, warmUp } from '../warm.ts'
import { answerRounds } from './round.ts'

// A side of `compile.ts --against`: started by it, on the sources of one checkout.
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,10000' },
    turns: { type: 'string', default: '100' },
    cold: { type: 'boolean', default: false },
  },
})
const sizes = options.sizes.split(',').map(Number)
const silent = { step: (): void => undefined, done: (): void => undefined }

const grown = recalls.map((recall) => {
  if (!options.cold) warmUp(recall, words)
  return { recall, folds: growFolds(sizes, recall, words, silent) }
})

await answerRounds(() => {
  const hash = createHash('sha256')
  const figures = grown.map(({ recall, folds }) => {
    const times = playTurns(folds, Number(options.turns))
    for (const { fold } of folds) hash.update(JSON.stringify(compile(fold).messages))
    return [
      `recall ${recall}`,
      Object.fromEntries(
        folds.map(({ size }, index) => [`${size.toLocaleString('en')} entries`, median(times[index] ?? [])]),
      ),
    ] as const
  })
  return { figures: Object.fromEntries(figures), prompts: hash.digest('hex') }
})
