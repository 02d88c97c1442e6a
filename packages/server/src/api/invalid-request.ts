import type { z } from 'zod'
import type { Failure } from './failure.ts'

/** Names the field and what is wrong with it. Never repeats what was sent. */
export function invalidRequest(target: string, { issues }: z.ZodError): Failure {
  const [issue] = issues
  const field = [places[target] ?? target, ...(issue?.path ?? [])].join('.')
  return { status: 400, code: 'invalid_request', message: `The field ${field} is wrong: ${reasonOf(issue)}.`, fix: 'Correct it by what /minutebook/v1/openapi.json says of this operation.' }
}

const places: Readonly<Record<string, string>> = { json: 'body', param: 'path' }

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `there is no ${issue.keys.slice(0, 3).map((key) => JSON.stringify(key.slice(0, 64))).join(', ')}`
  const message = issue?.message ?? 'it cannot be read'
  return message.replace(/\.$/, '')
}
