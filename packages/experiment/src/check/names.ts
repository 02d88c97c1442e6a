import { isFields } from '../shape/fields.ts'

/** What is named in an experiment, be it right or wrong. */
export interface Names {
  readonly variables: readonly string[]
  readonly participants: readonly string[]
  readonly tools: readonly string[]
  /** Models with prices. */
  readonly prices: readonly string[]
}

export function namesIn(value: unknown): Names {
  const fields = isFields(value) ? value : {}
  const keys = (field: string): string[] => Object.keys(isFields(fields[field]) ? fields[field] : {})
  return {
    variables: keys('environment'),
    participants: keys('participants'),
    tools: keys('tools'),
    prices: keys('prices'),
  }
}
