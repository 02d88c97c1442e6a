import { z } from '@hono/zod-openapi'
import type { Metadata, Rating } from 'minutebook/store'
import type { Mark, ThreadCounts, ThreadList, ThreadSort } from '../../archive/thread-list.ts'
import { rating, tag } from './feedback.ts'
import { countIn, shape, text, whole } from './schema.ts'
import { marks, threadSummary } from './thread.ts'

export const threadList: z.ZodType<ThreadList> = shape(
  'ThreadList',
  z.object({
    threads: z.array(threadSummary),
    next: text
      .optional()
      .openapi({ description: 'Pass this value as `after` to get the next page. Absent on the last page.' }),
  }),
)

const marksText = new RegExp(`^(${marks.join('|')})(,(${marks.join('|')}))*$`)

export interface ThreadPage {
  readonly limit?: number | undefined
  readonly after?: string | undefined
  readonly marks?: readonly Mark[] | undefined
  readonly hide?: readonly ThreadSort[] | undefined
  readonly metadata?: Metadata | undefined
  readonly rating?: Rating | undefined
  readonly tag?: string | undefined
}

const sorts = ['runs', 'one-offs', 'forks'] as const satisfies readonly ThreadSort[]
const sortsText = new RegExp(`^(${sorts.join('|')})(,(${sorts.join('|')}))*$`)
const hide = text
  .regex(sortsText, { error: `must be one or more of ${sorts.join(', ')}, separated by commas` })
  .transform((some) => some.split(','))
  .optional()
  .openapi({
    description:
      'Leave out these threads, which are separated by commas. `runs`: of participants of experiments. `one-offs`: single questions through the gateway. `forks`: forks of other threads. A page may then be short although there is a `next`.',
    type: 'string',
    example: 'runs,one-offs',
  })

export const hideQuery: z.ZodType<Pick<ThreadPage, 'hide'>> = z.object({ hide }) as unknown as z.ZodType<
  Pick<ThreadPage, 'hide'>
>

export const threadCounts: z.ZodType<ThreadCounts> = shape(
  'ThreadCounts',
  z.object({
    looked: whole.openapi({ description: 'How many threads were looked at: the newest 500 at most.' }),
    whole: z.boolean().openapi({ description: 'Whether these are all threads.' }),
    sorts: z
      .object({ runs: whole, 'one-offs': whole, forks: whole })
      .openapi({ description: 'How many of them are of each sort.' }),
    marks: z
      .object({ truncated: whole, overflow: whole, failed: whole, partial: whole, console: whole })
      .openapi({ description: 'How many of them that are not hidden have each mark.' }),
  }),
)

/** A pair in a query: the key may have no colon, the value may. */
const pairText = text.max(600).regex(/^[^:]+:/, { error: 'must be a key and a value with a colon between them' })

export const threadPage: z.ZodType<ThreadPage> = z.object({
  limit: countIn(1, 1000, 'The maximum number of threads. Default: 100.'),
  after: text.max(2000).optional().openapi({ description: 'The value of `next` on the previous page.' }),
  marks: text
    .regex(marksText, { error: `must be one or more of ${marks.join(', ')}, separated by commas` })
    .transform((some) => some.split(','))
    .optional()
    .openapi({
      description:
        'List only threads that have one of these marks, which are separated by commas. A page may then be short although there is a `next`.',
      type: 'string',
      example: 'truncated,failed',
    }),
  hide,
  metadata: z
    .union([pairText, z.array(pairText).max(16)])
    .transform((pairs) => Object.fromEntries([pairs].flat().map(pairIn)))
    .optional()
    .openapi({
      param: { schema: { type: 'array', items: { type: 'string' } } },
      description:
        'List only threads that have this pair of metadata, a key and a value with a colon between them. If it is repeated, a thread must have all pairs.',
      example: ['owner:ann'],
    }),
  rating: rating.optional().openapi({ description: 'List only threads with a message that has this rating.' }),
  tag: tag.optional().openapi({ description: 'List only threads with a message that has this tag.', example: 'facts' }),
}) as unknown as z.ZodType<ThreadPage>

function pairIn(text: string): readonly [key: string, value: string] {
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}
