import fc from 'fast-check'

// Chosen and printed by vitest.config.ts.
fc.configureGlobal({ seed: Number(process.env['PROVE_SEED']) })
