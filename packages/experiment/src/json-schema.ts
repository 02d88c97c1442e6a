import { z } from 'zod'
import { experimentShape } from './shape/experiment.ts'

/** The JSON Schema (draft 2020-12) of an experiment as people write it, for editors. */
export function experimentSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(experimentShape, { target: 'draft-2020-12', io: 'input' })
  return { ...schema, title: 'An experiment of Minutebook' }
}
