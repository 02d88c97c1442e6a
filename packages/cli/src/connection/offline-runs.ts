// Loaded on demand, because it needs the whole experiment package.
export { offlineRuns } from '@minutebook/server'
