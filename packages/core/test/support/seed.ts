import fc from 'fast-check'

// The same cases every time, so that a red run is about the change at hand; `npm run prove` looks for new ones.
if (process.env['PROVE_RUNS'] === undefined) fc.configureGlobal({ seed: 20_261_115 })
