import { z } from '@hono/zod-openapi'
import type { Decision, OpenCall } from 'minutebook'
import type { CallList, Page } from 'minutebook/store'
import { call } from './entry.ts'
import { countIn, shape, text, whole } from './schema.ts'

const openFields = z.object({
  id: text.openapi({ description: 'Names the call in a decision.', example: `${'9f2c4e71'.repeat(8)}.0` }),
  call,
  needs: z.enum(['approval', 'answer']).openapi({
    description:
      '`approval`: the tool runs if it is allowed. `answer`: the client runs the tool, or a person answers, and sends the result.',
  }),
  since: text.optional().openapi({ description: 'When the call began to wait.', example: '2026-11-15T12:00:00.000Z' }),
  within: whole.optional().openapi({
    description: 'Milliseconds after which the call is refused if there is no decision.',
    example: 3_600_000,
  }),
})

/** A call that waits for a decision. */
export const openCall: z.ZodType<OpenCall> = shape('OpenCall', openFields) as unknown as z.ZodType<OpenCall>

export interface OpenCalls {
  readonly calls: readonly OpenCall[]
}

export const openCalls: z.ZodType<OpenCalls> = shape('OpenCalls', z.object({ calls: z.array(openCall) }))

export const callList: z.ZodType<CallList> = shape(
  'CallList',
  z.object({
    calls: z.array(openFields.extend({ thread: text.openapi({ example: 'garden' }) })),
    next: text
      .optional()
      .openapi({ description: 'Pass this value as `after` to get the next page. Absent on the last page.' }),
  }),
) as unknown as z.ZodType<CallList>

/** Which page of a list is read. */
export type CallPage = Pick<Page, 'limit' | 'after'>

export const callPage: z.ZodType<CallPage> = z.object({
  limit: countIn(1, 1000, 'The maximum number of calls, the newest first. Default: 100.'),
  after: text.max(2000).optional().openapi({ description: 'The value of `next` on the previous page.' }),
}) as unknown as z.ZodType<CallPage>

/** A decision, and the call that it is about. */
export interface NewDecision {
  readonly call: string
  readonly decision: Decision
  readonly by?: string | undefined
}

const decision = z.union([
  z.strictObject({
    do: z.literal('run'),
    input: z.unknown().optional().openapi({ description: 'Other arguments. Default: those of the model.' }),
  }),
  z.strictObject({
    do: z.literal('refuse'),
    reason: text.max(2000).optional().openapi({ description: 'The model is told the reason.' }),
  }),
  z.strictObject({
    do: z.literal('answer'),
    output: z.unknown().openapi({ description: 'The result: a text, or a value that the model gets as JSON.' }),
  }),
])

export const newDecision: z.ZodType<NewDecision> = shape(
  'NewDecision',
  z
    .strictObject({
      call: text.min(1).max(100).openapi({ description: 'The `id` of a call that waits.' }),
      decision: decision.openapi({
        description: '`run` or `refuse` a call that needs approval, `answer` or `refuse` one that needs an answer.',
      }),
      by: text.min(1).max(200).optional().openapi({
        description:
          'The name of the person who decides, as you know it. It is recorded as a claim: who decided is proven only by the key or session of the request, which is recorded, too.',
      }),
    })
    .openapi({ example: { call: `${'9f2c4e71'.repeat(8)}.0`, decision: { do: 'run' }, by: 'ann' } }),
) as unknown as z.ZodType<NewDecision>

export const openExample: OpenCall = {
  id: `${'9f2c4e71'.repeat(8)}.0`,
  call: { id: 'call_1', name: 'order', arguments: '{"item":"fern"}', input: { item: 'fern' } },
  needs: 'approval',
  since: '2026-11-15T12:00:00.000Z',
}
