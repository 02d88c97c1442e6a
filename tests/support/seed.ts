import fc from 'fast-check'
import { cases } from './runs.ts'

// The seed is chosen and printed by vitest.config.ts.
fc.configureGlobal({ seed: Number(process.env['PROVE_SEED']), numRuns: cases('usual') })
