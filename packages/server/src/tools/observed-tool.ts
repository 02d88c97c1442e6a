import { MinutebookError, type Tool, type ToolContext } from 'minutebook'
import type { Services } from '../services.ts'

/** A tool whose runs are counted and told. */
export function observed(
  tool: Tool,
  { metrics, spans, tenant }: Pick<Services, 'metrics' | 'spans'> & { readonly tenant: string },
): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const span = spans.tool({
        tool: tool.name,
        tenant,
        thread: context.thread,
        turn: spans.isOn ? await turnOf(context) : undefined,
        call: context.call.id,
        input: () => input,
      })
      try {
        const result = await tool.run(input, context)
        metrics.toolRan('complete')
        span.end({ result: () => result })
        return result
      } catch (error) {
        metrics.toolRan('failed')
        span.end({ error: MinutebookError.isInstance(error) ? error.code : 'tool_failed' })
        throw error
      }
    },
  }
}

/** The id of the question in whose turn the tool is called. */
async function turnOf({ entries }: ToolContext): Promise<string | undefined> {
  return (await entries()).findLast(({ kind }) => kind === 'user')?.id
}
