// Loaded on demand: what reads runs needs the whole language of experiments.
export { offlineRuns } from '@minutebook/server'
