import { z } from '@hono/zod-openapi'
import {
  callFlags,
  callOutcomes,
  type CallCounts,
  type CallFilter,
  type CallPage,
  type ListedCall,
  type ListedCalls,
} from '../../archive/call-list.ts'
import { countIn, shape, text, whole } from './schema.ts'

/** One or several of these words, with commas between them. */
function wordsIn(words: readonly string[], description: string): z.ZodType {
  return text
    .regex(new RegExp(`^(${words.join('|')})(,(${words.join('|')}))*$`), {
      error: `must be one or more of ${words.join(', ')}, separated by commas`,
    })
    .transform((some) => some.split(','))
    .optional()
    .openapi({ description, type: 'string', example: words[0] })
}

/** A name, which may be repeated. */
function namesIn(description: string, example: string): z.ZodType {
  const name = text.max(200)
  return z
    .union([name, z.array(name).max(16)])
    .transform((names) => [names].flat())
    .optional()
    .openapi({ param: { schema: { type: 'array', items: { type: 'string' } } }, description, example: [example] })
}

function timeIn(description: string): z.ZodType {
  return text
    .max(40)
    .refine((time) => !Number.isNaN(Date.parse(time)) && /^\d{4}-\d\d-\d\dT/.test(time), {
      error: 'must be a time, such as 2026-11-18T20:30:00Z',
    })
    .transform((time) => new Date(time).toISOString())
    .optional()
    .openapi({ description, type: 'string', example: '2026-11-18T20:30:00.000Z' })
}

const filterFields = {
  since: timeIn('Only calls that ended at this time or later.'),
  until: timeIn('Only calls that ended before this time.'),
  outcome: wordsIn(callOutcomes, 'Only calls that ended in one of these ways, which are separated by commas.'),
  model: namesIn('Only calls of this model. If it is repeated: of one of these models.', 'gemma3:4b'),
  owner: namesIn('Only calls on behalf of the key with this name. Needs the scope admin.', 'website'),
  flag: wordsIn(
    callFlags,
    'Only calls with one of these flags, which are separated by commas. `cut`: the model server cut the prompt. `omitted`, `clipped`: at least one entry was left out, or shortened. `slow`: it took 10 seconds or more.',
  ),
}

export const callFilter: z.ZodType<CallFilter> = z.object(filterFields) as unknown as z.ZodType<CallFilter>

export const callPage: z.ZodType<CallPage> = z.object({
  limit: countIn(1, 500, 'The most calls. Default: 100.'),
  after: text
    .max(100)
    .regex(/^[\w:.-]+$/, { error: 'must be the value of `next` on the previous page' })
    .optional()
    .openapi({ description: 'The value of `next` on the previous page.' }),
  ...filterFields,
}) as unknown as z.ZodType<CallPage>

export const listedCalls: z.ZodType<ListedCalls> = shape(
  'ListedCalls',
  z.object({
    calls: z.array(
      z.object({
        thread: text,
        title: text.nullable(),
        receipt: text,
        ended: text.openapi({ description: 'When the call ended.' }),
        firstToken: whole.optional().openapi({ description: 'Milliseconds until the first text.' }),
        total: whole.openapi({ description: 'Milliseconds until the end.' }),
        turn: whole.nullable().openapi({ description: 'The number of the turn on its branch, counted from 1.' }),
        model: text.nullable(),
        owner: text
          .optional()
          .openapi({ description: 'Only for admins: the name of the key that sent the request. Empty without one.' }),
        outcome: z.enum(callOutcomes).openapi({ description: 'How the call ended, as the receipt says it.' }),
        sent: whole.openapi({ description: 'The tokens of the prompt, as predicted.' }),
        reused: whole.openapi({ description: 'How many of them are the beginning of the previous prompt.' }),
        read: whole.optional().openapi({ description: 'The tokens that the model server says it read.' }),
        answer: whole.optional().openapi({ description: 'The tokens of the answer.' }),
        omitted: whole.openapi({ description: 'How many entries were left out of the prompt.' }),
        clipped: whole.openapi({ description: 'How many entries were shortened.' }),
        cut: z.boolean().openapi({ description: 'Whether the model server cut the prompt.' }),
      }),
    ),
    next: text.optional().openapi({
      description:
        'Pass this value as `after` to get the next page. With a filter, a page may be short although there is a `next`: at most 5,000 calls are looked at for one page.',
    }),
    from: text.optional().openapi({ description: 'When the oldest call that was looked at ended.' }),
  }),
)

const values = z.array(z.object({ value: text, count: whole }))

export const callCounts: z.ZodType<CallCounts> = shape(
  'CallCounts',
  z.object({
    looked: whole.openapi({ description: 'How many calls were looked at: the newest 1,000 at most.' }),
    whole: z.boolean().openapi({ description: 'Whether these are all calls of the range of time.' }),
    outcome: values,
    model: values,
    owner: values.optional().openapi({ description: 'Only for admins.' }),
    flag: values,
  }),
)

export const listedCallExample: ListedCall = {
  thread: 'garden',
  title: 'What grows in the shade?',
  receipt: 'c02d11',
  ended: '2026-11-18T20:30:04.100Z',
  firstToken: 2900,
  total: 4100,
  turn: 5,
  model: 'gemma3:4b',
  owner: 'website',
  outcome: 'stop',
  sent: 1772,
  reused: 73,
  read: 1768,
  answer: 212,
  omitted: 12,
  clipped: 1,
  cut: false,
}
