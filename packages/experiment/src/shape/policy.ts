import type { PolicyConfig } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import { digesterOf } from 'minutebook/inspect'
import type { DigesterData } from 'minutebook/compile'
import { z } from 'zod'
import { list, name, oneOf, text, whole, yesOrNo } from './wording.ts'

const shareText = 'must be a share from 0 to 1; write one such as 0.25'
const share = z.number({ error: shareText }).min(0, { error: shareText }).max(1, { error: shareText })
const tokens = whole('must be a whole number of tokens, 1 or more; write one such as 96', 1, 1e6)

const digester = z
  .strictObject(
    {
      id: text('must be a name and a version; write them such as lamp@1').describe('A name and a version: lamp@1.'),
      tool: text('must be the name of a tool; write one').optional().describe('Only for results of this tool.'),
      line: tokens.optional().describe('The most tokens of a line with this digest while there is room.'),
      when: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]), {
          error: 'must be values by path; write them such as { kind: program }',
        })
        .optional()
        .describe('Only for values that have exactly this at these paths.'),
      template: text('must be a text with paths in braces; write it such as "{name}: {price}"').describe(
        'A text with paths into the JSON value in braces.',
      ),
      each: z
        .record(z.string(), z.string(), { error: 'must be templates by path; write them such as { steps: "{color}" }' })
        .optional()
        .describe('The template for each item of a list, by the path of the list.'),
      join: text('must be a text; put it in quotes')
        .optional()
        .describe('What comes between the items of a list. Default: a comma and a blank.'),
    },
    { error: 'must be a digester; write it such as { id: lamp@1, template: "{name}" }' },
  )
  .superRefine((data, context) => {
    const message = digesterProblem(data)
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['template'] })
  })

/** What is wrong with a digester beyond its shape, as the library says it; undefined if nothing is. */
function digesterProblem(data: unknown): string | undefined {
  try {
    digesterOf(data as DigesterData)
    return undefined
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const fix = error.fix.replace(/\.$/, '')
    return `cannot be used (${error.problem.replace(/\.$/, '')}); ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`
  }
}

const inline = z.strictObject(
  {
    preset: oneOf(['default', 'lastMessages', 'tiered', 'firstAndRecent']),
    recall: oneOf(['off', 'gated', 'eager'])
      .optional()
      .describe('For the preset default: when older entries are brought back.'),
    epochs: yesOrNo.optional().describe('For the preset default: false fills the window in every turn.'),
    messages: whole('must be a whole number of messages, 1 or more; write one such as 50', 1, 1e6)
      .optional()
      .describe('For the preset lastMessages: how many messages are sent. Default: 50.'),
    verbatim: whole('must be a whole number of exchanges, 0 or more; write one such as 2', 0, 1e6)
      .optional()
      .describe('For the preset tiered: how many exchanges are sent verbatim. Default: 2.'),
    line: tokens.optional().describe('For the preset tiered: the most tokens of a digest. Default: 64.'),
    share: share.optional().describe('For the preset tiered: how much of the room digests may take. Default: 0.25.'),
    overflow: oneOf(['error', 'keep']).optional().describe('keep: send a prompt even if it is too large.'),
    notes: yesOrNo.optional().describe('Whether the model is asked for notes to self.'),
    notesRole: oneOf(['system', 'user']).optional().describe('The role of notes in prompts. Default: system.'),
    shares: z
      .strictObject(
        { outline: share.optional(), recall: share.optional(), notes: share.optional(), pins: share.optional() },
        { error: 'must be shares by name; write them such as { outline: 0.2 }' },
      )
      .optional()
      .describe('Other shares for the tiers of the preset.'),
    digesters: list(digester, '[{ id: lamp@1, template: "{name}" }]')
      .max(16, { error: 'must be at most 16 digesters; write fewer' })
      .optional()
      .describe('Templates that put JSON answers and tool results of older exchanges into a line.'),
  },
  { error: 'must be a policy; write it such as { preset: tiered }' },
)

/** The name of a policy, or the policy itself: what `PUT /policies/{policy}` takes, without a journal, which runs lack. */
export const policy: z.ZodType<string | PolicyConfig, unknown> = z.union(
  [name('must be the name of a policy; write one'), inline],
  { error: 'must be a policy; write a name, or one such as { preset: tiered, verbatim: 2 }' },
) as unknown as z.ZodType<string | PolicyConfig, unknown>
