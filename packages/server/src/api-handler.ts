import type { Services } from './services.ts'
import type { Visit } from './visit.ts'

/** Answers what is asked under `/minutebook/v1`. The caller is an operator, who reads the threads of their tenant. */
export type ApiHandler = (visit: Visit, services: Services) => Promise<void>
