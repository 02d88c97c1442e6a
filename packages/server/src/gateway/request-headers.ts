import type { Policy } from 'minutebook'
import type { IncomingHttpHeaders } from 'node:http'
import type { Refusal } from '../http/reply.ts'
import { policyOf } from '@minutebook/experiment/run'
import { presets, type Policies } from '../stores/policies.ts'

/** What the headers of a chat ask for. */
export interface RequestHeaders {
  /** Default: the setting. */
  readonly record: boolean | undefined
  readonly thread: string | undefined
  /** `name`: equal if the policy is equal. */
  readonly policy: { readonly name: string; readonly policy: Policy } | undefined
  /** The client's own id for the request. */
  readonly id: string | undefined
  /** The client says that it sends this again. */
  readonly retry: boolean
  /** What cannot be done. */
  readonly problem: Refusal | undefined
}

/** Whether a chat is to be passed on, and nothing else done with it. */
export function asksForBypass(headers: IncomingHttpHeaders): boolean {
  const bypass = headerIn(headers, 'minutebook-bypass')
  return bypass !== undefined && !isNo(bypass)
}

/** `policies`: those that the caller can name. Rejects if the store cannot be asked for them. */
export async function readRequestHeaders(
  headers: IncomingHttpHeaders,
  policies: Pick<Policies, 'find'>,
): Promise<RequestHeaders> {
  const name = headerIn(headers, 'minutebook-policy')?.trim()
  const policy = name === undefined ? undefined : await policies.find(name)
  const record = headerIn(headers, 'minutebook-record')
  return {
    record: record === undefined ? undefined : isYes(record),
    thread: headerIn(headers, 'minutebook-thread'),
    policy: policy && { name: JSON.stringify(policy.policy), policy: policyOf(policy.policy) },
    id: headerIn(headers, 'idempotency-key'),
    retry: Number(headerIn(headers, 'x-stainless-retry-count') ?? 0) > 0,
    problem:
      name !== undefined && !policy
        ? unknownPolicy
        : record !== undefined && !isYes(record) && !isNo(record)
          ? unclearRecord
          : undefined,
  }
}

const unknownPolicy: Refusal = {
  status: 400,
  code: 'unknown_policy',
  problem: 'The header minutebook-policy names a policy that does not exist.',
  fix: `Name ${presets.join(', ')}, or a policy that is set up on the server.`,
}

/** A chat that must not be recorded cannot be taken back: so nothing is guessed. */
const unclearRecord: Refusal = {
  status: 400,
  code: 'invalid_request',
  problem: 'The header minutebook-record is neither yes nor no.',
  fix: 'Send yes or no, or leave the header out.',
}

function headerIn(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  const text = Array.isArray(value) ? value[0] : value
  return text === '' ? undefined : text
}

function isYes(value: string): boolean {
  return ['yes', 'true', '1', 'on'].includes(value.trim().toLowerCase())
}

function isNo(value: string): boolean {
  return ['no', 'false', '0', 'off'].includes(value.trim().toLowerCase())
}
