import type { Services } from './services.ts'
import type { Visit } from './visit.ts'

/** Answers what is asked under `/minutebook/v1`, as far as the caller's scope goes, from the record of their tenant. */
export type ApiHandler = (visit: Visit, services: Services) => Promise<void>
